/** Whether pages run in Chromium's sandbox, and what to say and do where they do not. Without Electron. */

/**
 * A sentence where it is off. The AppImage's own start (AppRun, by electron-builder) turns it off by itself where
 * `unshare -Ur true` fails, since Chromium would end there: its other way, a helper that becomes root, needs a file
 * that belongs to root, and nothing in an AppImage does.
 * @param args the program's own
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
