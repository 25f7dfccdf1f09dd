/** Returns a text as it stands in HTML or XML, also within a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
