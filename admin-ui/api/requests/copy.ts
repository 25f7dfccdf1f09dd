/**
 * Copies text to the clipboard. Over plain HTTP, browsers have no clipboard API, so the old method is the fallback.
 * Resolves with false if the browser refuses.
 */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // The browser refused the clipboard API. The code below tries the old method, which the browser may permit.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Adds the field inside an open dialog, because the dialog does not let the focus leave.
  (document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
};
