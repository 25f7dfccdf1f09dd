import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, type ReactNode, StrictMode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { getMe } from '../../shared/contract/people/auth.ts';
import { imageCache } from '../api/files/useImage.ts';
import { client } from '../api/requests/client.ts';
import { queryClient } from '../api/requests/queryClient.ts';
import { meQuery } from '../api/session/me.ts';
import { session } from '../api/session/session.ts';
import { toastsWait } from '../components/controls/toasts.ts';
import { startOver } from '../components/frame/leaving.ts';
import { useLocaleTag } from '../i18n/useFormat.ts';
import { router } from './router.tsx';

/** Loads the module Later.tsx, and retries until this succeeds. The page works without it. */
const later = async (): Promise<{ default: () => ReactNode }> => {
  // Uses `await`, because with `then` Vite would add the loading of the style sheet to this import, and that may fail.
  try {
    return { default: (await import('./frame/Later.tsx')).Later };
  } catch {
    await new Promise((again) => setTimeout(again, LATER_MS));
    return later();
  }
};
const Later = lazy(later);
/**
 * Milliseconds until the requested page is normally complete. Parts that are not needed at first are loaded afterwards.
 */
const LATER_MS = 2500;

let lastToken = session.token();
let waits = false;

/** Removes all cached data of the previous user or workspace when the session changes. */
const whenSessionChanges = () => {
  if (session.lapsed()) {
    waits = true;
    // Does not wait for a new sign-in if no user was loaded: the page has nothing to keep then.
    if (queryClient.getQueryData(meQuery.queryKey) === undefined) session.giveUp();
    return;
  }
  const token = session.token();
  const before = lastToken;
  const waited = waits;
  lastToken = token;
  waits = false;
  if (token === before || before === null) return;
  if (waited && token !== null) return void goOn();
  imageCache.clear();
  if (token === null) void router.invalidate().then(() => queryClient.clear());
  else void queryClient.resetQueries();
};

/** Called when a user has signed in again, maybe in another tab. The page stays if the user is the same. */
const goOn = async (): Promise<void> => {
  const before = queryClient.getQueryData(meQuery.queryKey);
  try {
    const me = await client.call(getMe);
    if (me.id !== before?.id) return startOver('/');
  } catch {
    // Ignores the error, because the page repeats its requests below and reports their errors.
  }
  await queryClient.invalidateQueries();
};

export function App() {
  const locale = useLocaleTag();
  useEffect(() => {
    const stop = session.subscribe(whenSessionChanges);
    // Checks the session now, because a request may have been refused before the listener was added.
    whenSessionChanges();
    return stop;
  }, []);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <I18nProvider locale={locale}>
          <RouterProvider router={router} />
          <WhenTime />
        </I18nProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}

/** Loads `Later` after some seconds, or at once when a message waits to be shown. */
function WhenTime() {
  const [isTime, setTime] = useState(false);
  const isWanted = useSyncExternalStore(toastsWait.subscribe, toastsWait.now);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (isWanted && !isTime) setTime(true);
  if (!isTime) return null;
  return (
    <Suspense>
      <Later />
    </Suspense>
  );
}
