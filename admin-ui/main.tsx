/** Entry point. Starts loading the program and the texts at once, so this file must not import anything large. */

import { captureProviderAnswer } from './api/session/providerAnswer.ts';
import { startTheme } from './api/session/theme.ts';
import { firstTextsOf, ownLanguage } from './i18n/language.ts';
import './styles/base.css';

captureProviderAnswer();
startTheme();
void firstTextsOf(ownLanguage());
void import('./start.tsx').then(({ start }) => start());
