/**
 * Entry point of the gallery: a development page with every component in its states. It is not part of the built admin
 * window. URL parameters: `theme` (light, dark) and `language` (en, de). The part behind # is the section.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { isLanguage } from '../../../shared/contract/people/language.ts';
import { meQuery } from '../../api/session/me.ts';
import { changeTheme, startTheme } from '../../api/session/theme.ts';
import { startTranslations, withTexts } from '../../i18n/i18n.ts';
import { storeLanguage } from '../../i18n/language.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { Gallery } from './Gallery.tsx';
import { copyStateRules } from './stateRules.ts';
import '../../styles/base.css';
import './gallery.css';

/** Links of stories lead to a page without content. The gallery stays. */
const root = createRootRoute({ component: Gallery });
const anyPage = createRoute({ getParentRoute: () => root, path: '$', component: () => null });
const router = createRouter({ routeTree: root.addChildren([anyPage]), history: createMemoryHistory() });

/** No story may send a request, so nothing is fetched again. */
const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
});
/** Forms keep unsent input for each user. */
queryClient.setQueryData(meQuery.queryKey, { id: 'gallery' } as never);

function App() {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <I18nProvider locale={useLocaleTag()}>
          <RouterProvider router={router as never} />
        </I18nProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}

const parameters = new URLSearchParams(location.search);
const [language, theme] = [parameters.get('language'), parameters.get('theme')];
if (isLanguage(language)) storeLanguage(language);
startTheme();
if (theme === 'light' || theme === 'dark') changeTheme(theme);
await startTranslations();
await withTexts(async () => {});
copyStateRules();
createRoot(document.getElementById('root')!).render(<App />);
