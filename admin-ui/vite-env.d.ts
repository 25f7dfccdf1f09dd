declare module '*.css';
declare module '@fontsource-variable/inter/wght.css';
declare module '*.svg?raw' {
  const svg: string;
  export = svg;
}
