/**
 * Decides which keys a visitor may press in a page of the screen: only keys for writing. All other keys belong to the
 * browser or the operating system.
 */

export interface Pressed {
  /** Value of `KeyboardEvent.key`. */
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  /** AltGr, which types the third symbol of a key. On Windows such a key also reports Ctrl and Alt. */
  readonly altGraph: boolean;
}

/**
 * Returns whether a key is forbidden. Keys are allowed by a list, because browsers keep adding shortcuts. The source of
 * this function is also injected into foreign pages (agent/browser/frame-guard.ts), so it must not refer to anything
 * outside of itself.
 */
export function isForbidden({ key, ctrl, alt, meta, shift, altGraph }: Pressed): boolean {
  const isCharacter = [...key].length === 1;
  if (isCharacter && altGraph) return false;
  // Characters typed with Option on a Mac are allowed. With Alt elsewhere the key stays a letter and opens a menu.
  if (isCharacter && alt && !ctrl && !meta) return key <= '~';
  if (alt) return true;
  const moving = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];
  if (ctrl || meta) {
    if (isCharacter) return !(shift ? ['z'] : ['a', 'c', 'v', 'x', 'y', 'z']).includes(key.toLowerCase());
    if (meta) return key !== 'Control' && key !== 'Shift';
    return !(
      moving.includes(key) ||
      key === 'Control' ||
      key === 'Shift' ||
      (!shift && (key === 'Backspace' || key === 'Delete'))
    );
  }
  if (isCharacter || moving.includes(key)) return false;
  if (key === 'Escape') return shift;
  return ![
    'Enter',
    'Tab',
    'Backspace',
    'Delete',
    'Insert',
    'PageUp',
    'PageDown',
    'Shift',
    'Control',
    'CapsLock',
    'NumLock',
    'AltGraph',
    'Dead',
    'Process',
    'Compose',
    'Unidentified',
  ].includes(key);
}
