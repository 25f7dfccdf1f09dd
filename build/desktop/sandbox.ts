/**
 * Detects whether Chromium runs web pages in its sandbox. If not, returns a sentence that says what to do. Independent
 * of Electron.
 */

/**
 * Returns a sentence when the sandbox is disabled. The start script of an AppImage (AppRun, by electron-builder)
 * disables it when `unshare -Ur true` fails, because Chromium would otherwise exit. The alternative, a setuid helper,
 * must be a file owned by root, and an AppImage cannot contain such a file.
 * @param args arguments of the program
 */
export const withoutSandbox = ({
  args,
  appImage,
}: {
  readonly args: readonly string[];
  readonly appImage: string | undefined;
}): string | undefined => {
  if (!args.includes('--no-sandbox')) return undefined;
  const off = 'Pages run without Chromium’s sandbox here';
  return appImage === undefined
    ? `${off}, since Vitrine was started with --no-sandbox: start it without.`
    : `${off}: this system lets no AppImage use user namespaces (Ubuntu since 24.04 does not). Install the deb, which may, or allow it to all programs: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`;
};
