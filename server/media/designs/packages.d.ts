/** Packages without types. Their members are described where they are used. */
declare module 'linebreak' {
  /** Finds the places where a text may or must be broken (UAX #14). */
  // biome-ignore lint/style/noDefaultExport: the package exports its class in this way
  export default class LineBreaker {
    constructor(text: string);
    /** `position` is the index after which the line ends. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
