/** Escapes a text for HTML or XML, also inside a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
