/**
 * First of all everything that must come over the line is asked for at once: program and texts. Nothing heavy may be
 * imported here.
 */

import { holdProviderAnswer } from './data/providerAnswer.ts';
import { startTheme } from './data/theme.ts';
import { firstTextsOf, ownLanguage } from './i18n/language.ts';
import './styles/base.css';

holdProviderAnswer();
startTheme();
void firstTextsOf(ownLanguage());
void import('./start.tsx').then(({ start }) => start());
