/** Entry point. Starts to load the program and the texts at once, so it must not import anything heavy. */

import { holdProviderAnswer } from './data/providerAnswer.ts';
import { startTheme } from './data/theme.ts';
import { firstTextsOf, ownLanguage } from './i18n/language.ts';
import './styles/base.css';

holdProviderAnswer();
startTheme();
void firstTextsOf(ownLanguage());
void import('./start.tsx').then(({ start }) => start());
