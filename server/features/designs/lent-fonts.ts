/** Fonts that a player lends to the page of a design, like pictures. */
import type { FontFile } from '../../../shared/design/fonts.ts';
import type { Asset } from '../../../shared/program/program.ts';
import { brandFontFile } from '../../media/fonts/brand-fonts.ts';

export interface LentFont {
  readonly face: Omit<FontFile, 'source'>;
  readonly asset: Asset;
}

/**
 * Returns the files of fonts that a page does not contain. Every page contains the Latin letters of Inter. A font whose
 * file is missing is left out, so the page uses the next font of the role.
 */
export const lentFonts = (fonts: readonly FontFile[]): LentFont[] =>
  fonts.flatMap(({ source, ...face }) => {
    if ('uploaded' in source || (source.font === 'inter' && source.subset === 'latin')) return [];
    const found = brandFontFile(source.font, source.subset);
    return found ? [{ face, asset: found.asset }] : [];
  });
