import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, type ReactNode, StrictMode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { getMe } from '../../shared/contract/auth.ts';
import { startOver } from '../components/leaving.ts';
import { toastsWait } from '../components/toasts.ts';
import { client } from '../data/client.ts';
import { meQuery } from '../data/me.ts';
import { queryClient } from '../data/queryClient.ts';
import { session } from '../data/session.ts';
import { imageCache } from '../data/useImage.ts';
import { useLocaleTag } from '../i18n/useFormat.ts';
import { router } from './router.tsx';

/** Comes again and again until it is there: nothing else depends on it. */
const later = async (): Promise<{ default: () => ReactNode }> => {
  // Not by `then`, which Vite takes for a part of the import: its style sheet may be what does not come.
  try {
    return { default: (await import('./Later.tsx')).Later };
  } catch {
    await new Promise((again) => setTimeout(again, LATER_MS));
    return later();
  }
};
const Later = lazy(later);
/** By then the page is there that somebody came for. */
const LATER_MS = 2500;

let lastToken = session.token();
let waits = false;

/** Leaves nothing of one person for the next, and nothing of one workspace for another. */
const whenSessionChanges = () => {
  if (session.lapsed()) {
    waits = true;
    // A page that knows of nobody has nothing to keep.
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

/** Somebody has signed in again, maybe in another tab: the page goes on as it is if it is theirs. */
const goOn = async (): Promise<void> => {
  const before = queryClient.getQueryData(meQuery.queryKey);
  try {
    const me = await client.call(getMe);
    if (me.id !== before?.id) return startOver('/');
  } catch {
    // What the page shows is asked for again below, and says then why it does not come.
  }
  await queryClient.invalidateQueries();
};

export function App() {
  const locale = useLocaleTag();
  useEffect(() => {
    const stop = session.subscribe(whenSessionChanges);
    // What was asked ahead may have been refused before anybody listened.
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

/** Loads what can wait, or what somebody waits for. */
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
