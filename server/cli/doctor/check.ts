/** One thing that was looked at. */
export interface Check {
  readonly area: 'machine' | 'network' | 'database' | 'media' | 'backups';
  /** `warn`: it works, but somebody should know. */
  readonly level: 'ok' | 'warn' | 'bad';
  /** What was found, and what to do about it. */
  readonly text: string;
}

export type Look = (at: { readonly data: string; readonly port: number; readonly quick: boolean }) => Check[] | Promise<Check[]>;

export const checkOf =
  (area: Check['area']) =>
  (level: Check['level'], text: string): Check => ({ area, level, text });
