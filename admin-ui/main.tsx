import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { startTheme } from './data/theme.ts';
import { startTranslations } from './i18n/i18n.ts';
import './styles/base.css';

startTheme();
void startTranslations().then(() => createRoot(document.getElementById('root')!).render(<App />));
