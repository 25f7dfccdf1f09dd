/**
 * Acts of a request: the records that it changes, and the contents that it shows on screens. The declaration of each
 * endpoint that writes contains a function that returns the acts (endpoint.ts). The server compares the acts with the
 * rights of the member (server/features/rights). Members with all rights are not checked.
 */

/** Kinds of records that a request names and changes. */
type Changed =
  /** A content in the library, when its name, label, file or folder changes. */
  | 'content'
  /** The part of a content that screens show: its file, address or validity. */
  | 'shown'
  | 'folder'
  /** A folder that is deleted, so that its contents move to the root. */
  | 'emptied'
  | 'screen'
  | 'group'
  /** The screen or group with this id. */
  | 'screens'
  /** The screens that have this tag now. */
  | 'tagged'
  /** All screens that have this tag now or get it later. */
  | 'tag'
  | 'playlist'
  /** A playlist item. The act also changes the playlist of the item. */
  | 'item'
  | 'layout'
  | 'widget'
  | 'kiosk'
  | 'wall'
  /** A screen that is put into a wall, and leaves its previous wall. */
  | 'panel'
  | 'plan'
  | 'schedule'
  | 'message'
  | 'alert'
  /** An entry of the bin, and the places to which it returns. */
  | 'bin'
  /** A request to publish a playlist. The act also changes that playlist. */
  | 'request'
  /** A slot in a playlist of headquarters. The act also changes that playlist. */
  | 'slot';

/**
 * Objects of administration: access and the server itself, not records of a workspace. The role of a member decides
 * about them, not the limits in the member's rights. Visitors from headquarters are always refused (visitors.ts).
 */
const ADMINISTERED = [
  /** Accounts: passwords, two-factor sign-in, names and the open workspace. */
  'accounts',
  'invites',
  /** Members of a workspace or an organization: roles, rights, whether publishing needs approval. */
  'members',
  'tokens',
  /** The connection to headquarters, and a headquarters' own stores. */
  'chain',
  /** Settings of whole workspaces and organizations. */
  'workspaces',
] as const;
type Administered = (typeof ADMINISTERED)[number];

/** A change of a record of a workspace. */
export type RecordAct =
  | { readonly on: Changed; readonly id: string | number }
  /** A content or folder is put into this folder; null: the root; undefined: the server chooses. */
  | { readonly on: 'place' | 'newFolder'; readonly id: string | null | undefined }
  /** Tags are put on screens or removed; with `id`, they are the complete list of tags of that screen. */
  | { readonly on: 'tags'; readonly tags: readonly string[]; readonly id?: string }
  /**
   * `new`: a new record that no screen shows yet. `membership`: members of groups and the list of screens.
   * `everything`: all screens, or the common settings of the workspace.
   */
  | { readonly on: 'new' | 'membership' | 'everything' };

export type Administering = { readonly on: Administered };
export type Act = RecordAct | Administering;

export const on = (what: Changed, id: string | number): RecordAct => ({ on: what, id });
export const each = (what: Changed, ids: readonly (string | number)[]): RecordAct[] => ids.map((id) => on(what, id));
export const make = { on: 'new' } as const satisfies Act;
export const membership = { on: 'membership' } as const satisfies Act;
export const everything = { on: 'everything' } as const satisfies Act;
export const isAdministering = (act: Act): act is Administering => (ADMINISTERED as readonly string[]).includes(act.on);
/** Returns the function for the `acts` of an endpoint that changes this object of administration. */
export const administers = (what: Administered) => (): Act[] => [{ on: what }];

type Target = { readonly kind: 'device' | 'group' | 'tag'; readonly id: string } | { readonly kind: 'all' };
const SUBJECT = { device: 'screen', group: 'group' } as const;
/** @param tags meaning of a tag: the screens that have it now, or all that ever have it */
export const targets = (list: readonly Target[], tags: 'tagged' | 'tag'): RecordAct[] =>
  list.map((target) =>
    target.kind === 'all' ? everything : on(target.kind === 'tag' ? tags : SUBJECT[target.kind], target.id),
  );

type Reference = string | null | undefined;

/**
 * Contents that a request may show on screens outside of approved playlists. Members who need approval may not do this.
 * A reference that is `undefined` stays unchanged.
 */
export type Showing =
  /** The request itself shows content at once, for example a message or a command. */
  | { readonly by: 'itself' }
  /** A change of a record that screens may show already. The change appears wherever the record was approved. */
  | { readonly by: 'edit'; readonly of: 'content' | 'widget' | 'kiosk'; readonly id: string }
  | { readonly by: 'item'; readonly id: number; readonly isMuted: boolean }
  /** Draft of a playlist. The draft of a screen's own playlist is published by the next edit of the screen. */
  | { readonly by: 'draft'; readonly playlist: string }
  | {
      readonly by: 'fallback';
      readonly of: 'device' | 'group';
      readonly ids: readonly string[];
      readonly content_id: Reference;
    }
  /** @param id null: the wall is new */
  | { readonly by: 'wall'; readonly id: string | null; readonly content_id: Reference }
  | {
      readonly by: 'plan' | 'schedule';
      readonly id: string | null;
      readonly content_id: Reference;
      readonly widget_id: Reference;
    }
  | {
      readonly by: 'zones';
      /** Id of the layout; null: the layout is new. */
      readonly layout: string | null;
      readonly zones: readonly {
        readonly id?: Reference;
        readonly content_id?: Reference;
        readonly widget_id?: Reference;
      }[];
    }
  | { readonly by: 'bin'; readonly id: string };

/**
 * Declares that a request shows nothing new: the endpoint changes nothing (a preview), or changes only the view of the
 * caller.
 */
export const nothing = (): [] => [];
/** Declares that a request shows content on screens outside of playlists. */
export const atOnce = (): Showing[] => [{ by: 'itself' }];
