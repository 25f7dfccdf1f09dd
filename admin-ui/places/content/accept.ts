/** File types that the file chooser offers. The server decides by the content of the file. */
export const ACCEPT = ['image/*', 'video/*', 'audio/*', 'application/pdf'];
