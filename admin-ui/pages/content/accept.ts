/** Types that the file chooser offers. The server decides by the bytes. */
export const ACCEPT = ['image/*', 'video/*', 'audio/*', 'application/pdf'];
