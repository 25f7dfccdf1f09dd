/** Types that the file dialog offers. The server checks the contents of the file. */
export const ACCEPT = ['image/*', 'video/*', 'audio/*', 'application/pdf'];
