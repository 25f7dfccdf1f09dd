/**
 * Captures keys between a shortcut and the field that the shortcut opens, because the field may still be loading. No
 * other element receives these keys.
 */
export class TypeAhead {
  readonly #target: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  #typed = '';
  #isOn = false;

  constructor(target: Pick<Window, 'addEventListener' | 'removeEventListener'>) {
    this.#target = target;
  }

  begin(): void {
    this.#typed = '';
    if (this.#isOn) return;
    this.#isOn = true;
    this.#target.addEventListener('keydown', this.#onKey, { capture: true });
  }

  /** Returns the captured text, and stops capturing keys. */
  end(): string {
    this.#target.removeEventListener('keydown', this.#onKey, { capture: true });
    this.#isOn = false;
    const typed = this.#typed;
    this.#typed = '';
    return typed;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const isLetter = [...event.key].length === 1;
    if (!isLetter && event.key !== 'Backspace') return;
    event.preventDefault();
    event.stopPropagation();
    this.#typed = isLetter ? this.#typed + event.key : [...this.#typed].slice(0, -1).join('');
  };
}
