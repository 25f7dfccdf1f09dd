/** Text as XML takes it: what names and paths may hold (`&`, `<`, quotes) is no markup. */
export const xml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
