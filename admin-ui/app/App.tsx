import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Toasts } from '../components/Toasts.tsx';
import { queryClient } from '../data/queryClient.ts';
import { session } from '../data/session.ts';
import { imageCache } from '../data/useImage.ts';
import { useLocaleTag } from '../i18n/useFormat.ts';
import { router } from './router.tsx';

let lastToken = session.token();

/** Leaves nothing of one person for the next, and nothing of one workspace for another. */
const whenSessionChanges = () => {
  const token = session.token();
  const before = lastToken;
  lastToken = token;
  if (token === before || before === null) return;
  imageCache.clear();
  if (token === null) void router.invalidate().then(() => queryClient.clear());
  else void queryClient.resetQueries();
};

export function App() {
  const locale = useLocaleTag();
  useEffect(() => session.subscribe(whenSessionChanges), []);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <I18nProvider locale={locale}>
          <RouterProvider router={router} />
          <Toasts />
        </I18nProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
