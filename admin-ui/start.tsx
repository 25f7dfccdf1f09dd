import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { fetchAhead } from './data/fetchAhead.ts';
import { startTranslations } from './i18n/i18n.ts';

export const start = async (): Promise<void> => {
  fetchAhead();
  await startTranslations();
  createRoot(document.getElementById('root')!).render(<App />);
};
