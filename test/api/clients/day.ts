/** Input of an integrator's typical work, the same for every generated client. */
export interface Given {
  readonly origin: string;
  readonly picture: Blob;
  /** The pairing code on a waiting screen. */
  readonly code: string;
  /** Makes the screen play an item three times and report it. */
  readonly play: (item: {
    readonly id: number;
    readonly playlist_id: string;
    readonly content_id: string | null;
  }) => Promise<void>;
}

export interface Done {
  readonly role: string;
  readonly mimeType: string;
  /** Duration of the uploaded item in seconds. */
  readonly duration: number;
  readonly published: string;
  readonly device: string;
  readonly totals: { readonly devices: string | null; readonly items: string | null; readonly plays: string | null };
  readonly week: readonly string[];
  readonly tiles: readonly number[];
  /** Status of an edit after another client changed the record first: 412. */
  readonly stale: number;
  readonly overlay: string | undefined;
  readonly plays: readonly string[];
  readonly csv: string;
  readonly fileBytes: number;
  /** Status (404) and error message for a missing record. */
  readonly missing: readonly [number, string];
  /** Status (400) and error message for a wrong request. */
  readonly wrong: readonly [number, string];
  readonly deleted: boolean;
}
