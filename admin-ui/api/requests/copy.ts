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
    // Continues with the old method, which the browser may permit.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // The field is added inside an open dialog, since the dialog keeps the focus inside.
  (document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
};
