/** Reads a ZIP that somebody sent: entries by name, each checked against its size and sum, none ever written under its name. */
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';

/** More entries are no export of a shop. */
const MAX_ENTRIES = 200_000;

/** It is no ZIP, or a broken one. */
export class ZipRefused extends Error {}

export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws ZipRefused */
  static async open(path: string): Promise<ZipReader> {
    const { default: yauzl } = await import('yauzl');
    const zip = await new Promise<ZipFile>((done, failed) => {
      yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, file) => (error ? failed(new ZipRefused(error.message)) : done(file)));
    });
    const entries = new Map<string, Entry>();
    await new Promise<void>((done, failed) => {
      zip.on('error', (error: Error) => failed(new ZipRefused(error.message)));
      zip.on('end', done);
      zip.on('entry', (entry: Entry) => {
        entries.set(entry.fileName, entry);
        if (entries.size > MAX_ENTRIES) failed(new ZipRefused('It has too many entries'));
        else zip.readEntry();
      });
      zip.readEntry();
    }).catch((error: unknown) => {
      zip.close();
      throw error;
    });
    return new ZipReader(zip, entries);
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#entries.keys());
  }

  /** Bytes of an entry when it is unpacked, as the ZIP claims; reading fails when it is more. Undefined: there is no such entry. */
  sizeOf(name: string): number | undefined {
    return this.#entries.get(name)?.uncompressedSize;
  }

  /** @throws ZipRefused, also from the stream */
  read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (!entry) return Promise.reject(new ZipRefused(`${name} is not in it`));
    return new Promise((done, failed) => this.#zip.openReadStream(entry, (error, stream) => (error ? failed(new ZipRefused(error.message)) : done(stream))));
  }

  /** A small entry as a whole. @throws ZipRefused when it is larger than `limit` */
  async text(name: string, limit: number): Promise<string> {
    if ((this.sizeOf(name) ?? 0) > limit) throw new ZipRefused(`${name} is too large`);
    const parts: Buffer[] = [];
    for await (const part of await this.read(name)) parts.push(part as Buffer);
    return Buffer.concat(parts).toString('utf8');
  }

  close(): void {
    this.#zip.close();
  }
}
