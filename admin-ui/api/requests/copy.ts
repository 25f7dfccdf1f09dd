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
    // Continues with the old method, which may be permitted.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Inside an open dialog, which the focus cannot leave.
  (document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
};
