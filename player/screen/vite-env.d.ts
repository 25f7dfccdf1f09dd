/** The address of a file that the build puts next to the page. */
declare module '*?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: that is how Vite gives it
  export default address;
}
