/** Counters by name. A counter at zero is deleted. */
export class Tally {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
  }

  remove(name: string): void {
    const left = this.of(name) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }

  /** Returns the name with the highest count; undefined when there is none. */
  largest(): string | undefined {
    let most: string | undefined;
    for (const [name, count] of this.#counts) if (most === undefined || count > this.of(most)) most = name;
    return most;
  }
}
