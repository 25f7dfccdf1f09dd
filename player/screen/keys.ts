/**
 * Which keys a passer-by may press in a page of the screen: those for writing. All others belong to the browser or the
 * system.
 */

export interface Pressed {
  /** As `KeyboardEvent.key` has it. */
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  /** Held to type what is printed third on a key; on Windows such a key says Ctrl and Alt as well. */
  readonly altGraph: boolean;
}

/**
 * A list of what is allowed, since browsers keep inventing shortcuts. Its text is also put into the pages of others
 * (agent/frame-guard.ts): it must not refer to anything outside of itself.
 */
export function isForbidden({ key, ctrl, alt, meta, shift, altGraph }: Pressed): boolean {
  const isCharacter = [...key].length === 1;
  if (isCharacter && altGraph) return false;
  // What Option types on a Mac; with Alt elsewhere a letter stays the letter, and is a menu's.
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
