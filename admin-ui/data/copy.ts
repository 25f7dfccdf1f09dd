/**
 * Puts text where it can be pasted from. Over plain HTTP in a LAN browsers have no clipboard API, so the old way stays.
 * Resolves with false when the browser does not let us.
 */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Not allowed here: the old way may be.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Inside an open dialog: focus may not leave it.
  (document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
};
