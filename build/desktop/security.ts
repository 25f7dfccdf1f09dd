/** Applies Electron's security checklist to every session and page of this program. */
import { app, session, type WebContents } from 'electron';

const rules = new WeakMap<WebContents, (address: string) => boolean>();
const isOfThisComputer = (address: string): boolean => /^http:\/\/(localhost|127\.0\.0\.1):\d+\//.test(address);

/** Sets a rule for redirects of a window, because signing in leads to the sign-in provider. */
export const letRedirect = (contents: WebContents, mayGo: (address: string) => boolean): void =>
  void rules.set(contents, mayGo);

/**
 * Denies permissions, new windows, webviews and navigation to all pages; windows allow exceptions for their own origin.
 */
export const refuseEverything = (): void => {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  );
  session.defaultSession.setDevicePermissionHandler(() => false);
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    // Applies to redirects of the page itself. A window may have a separate rule.
    contents.on('will-redirect', (event) => {
      if (event.isMainFrame && !(rules.get(contents) ?? isOfThisComputer)(event.url)) event.preventDefault();
    });
  });
};
