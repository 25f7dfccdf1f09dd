/** Words as the systems' own programs and files take them. Pure. */

/** Text in XML: what names and paths may hold (`&`, `<`, quotes) is no markup. */
export const xml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * One word of a command line as Windows' programs take it apart (CommandLineToArgvW): backslashes count only before a
 * quote.
 */
export const windowsArgument = (text: string): string =>
  /^[\w.:\\/=+-]+$/.test(text) ? text : `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/**
 * Where Windows keeps its own programs. Names of variables are taken in any case; a root that is no whole path on a
 * disk of this machine is passed over.
 */
export const windowsSystem = (env: Readonly<Record<string, string | undefined>>): string => {
  const root = ['systemroot', 'windir']
    .flatMap((name) => Object.entries(env).filter(([key]) => key.toLowerCase() === name))
    .find(([, value]) => value && /^[a-z]:\\[^\\/]/i.test(value))?.[1];
  return `${(root ?? 'C:\\Windows').replace(/\\+$/, '')}\\System32`;
};
