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
    // Falls through to the older way, which may be allowed where this one is not.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Stays inside an open dialog, which focus may not leave.
  (document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
};
