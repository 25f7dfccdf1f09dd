/** What a day's work is given, and what has come of it at its end. The same for every client. */
export interface Given {
  readonly origin: string;
  readonly picture: Blob;
  /** As a waiting screen shows it. */
  readonly code: string;
  /** Lets the screen play an item three times and report it. */
  readonly play: (item: {
    readonly id: number;
    readonly playlist_id: string;
    readonly content_id: string | null;
  }) => Promise<void>;
}

export interface Done {
  readonly role: string;
  readonly mimeType: string;
  /** Seconds. */
  readonly duration: number;
  readonly published: string;
  readonly device: string;
  readonly totals: { readonly devices: string | null; readonly items: string | null; readonly plays: string | null };
  readonly week: readonly string[];
  readonly tiles: readonly number[];
  /** 412: somebody else was faster. */
  readonly stale: number;
  readonly overlay: string | undefined;
  readonly plays: readonly string[];
  readonly csv: string;
  readonly fileBytes: number;
  /** 404, with its sentence. */
  readonly missing: readonly [number, string];
  /** 400, with its sentence. */
  readonly wrong: readonly [number, string];
  readonly deleted: boolean;
}
