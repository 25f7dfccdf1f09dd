/** The exit code by which a version asks for another start, of another version. */
export const RESTART_CODE = 75;
