declare module '*.css';
declare module '@fontsource-variable/inter/wght.css';
declare module '*.svg?raw' {
  const svg: string;
  export = svg;
}
/** What the bundler makes of files by their names; only what the window uses of it. */
interface ImportMeta {
  glob<T>(
    files: string,
    how: { readonly eager: true; readonly query: string; readonly import: string },
  ): Record<string, T>;
}
