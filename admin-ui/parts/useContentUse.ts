/** A playlist that holds something, and on how many screens it plays. */
export type ContentUse = { readonly id: string; readonly name: string; readonly screens: number };
