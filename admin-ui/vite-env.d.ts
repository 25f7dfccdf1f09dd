declare module '*.css';
declare module '@fontsource-variable/inter/wght.css';
declare module '*.svg?raw' {
  const svg: string;
  export = svg;
}
/** Type of the bundler's import.meta.glob, only in the form that the admin window uses. */
interface ImportMeta {
  glob<T>(
    files: string,
    how: { readonly eager: true; readonly query: string; readonly import: string },
  ): Record<string, T>;
}
