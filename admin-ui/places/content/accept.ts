/** What the file chooser offers; the server decides by the bytes. */
export const ACCEPT = ['image/*', 'video/*', 'audio/*', 'application/pdf'];
