/** Escapes and quotes words for programs and files of the operating systems. Pure. */

/** Escapes a text for XML: the characters of names and paths that XML reserves (`&`, `<`, quotes). */
export const xml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * Quotes one word of a command line for Windows programs (CommandLineToArgvW). In such a word, backslashes are special
 * only before a quote.
 */
export const windowsArgument = (text: string): string =>
  /^[\w.:\\/=+-]+$/.test(text) ? text : `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/**
 * Returns the folder of Windows' own programs. The names of environment variables are compared without case. A value
 * that is not a full path on a disk of this machine is ignored.
 */
export const windowsSystem = (env: Readonly<Record<string, string | undefined>>): string => {
  const root = ['systemroot', 'windir']
    .flatMap((name) => Object.entries(env).filter(([key]) => key.toLowerCase() === name))
    .find(([, value]) => value && /^[a-z]:\\[^\\/]/i.test(value))?.[1];
  return `${(root ?? 'C:\\Windows').replace(/\\+$/, '')}\\System32`;
};
