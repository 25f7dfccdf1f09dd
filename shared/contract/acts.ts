/**
 * What a request changes, and what it puts on screens by that: said by each declaration that writes (endpoint.ts), and
 * held against what a member may do in one place (server/features/rights). Whoever may do everything is asked nothing.
 */

/** Records that a request names and changes. */
type Changed =
  /** A content in the library: its name, label, file, place. */
  | 'content'
  /** What screens show of a content. */
  | 'shown'
  | 'folder'
  /** A folder whose contents go to the root. */
  | 'emptied'
  | 'screen'
  | 'group'
  /** A screen or a group, whichever has the id. */
  | 'screens'
  /** The screens that have this tag at the moment. */
  | 'tagged'
  /** Whatever screens have this tag, also later. */
  | 'tag'
  | 'playlist'
  /** An item, and so its playlist. */
  | 'item'
  | 'layout'
  | 'widget'
  | 'kiosk'
  | 'wall'
  /** A screen that is hung in a wall, and so leaves another. */
  | 'panel'
  | 'plan'
  | 'schedule'
  | 'message'
  | 'alert'
  /** What lies in the bin, and wherever it comes back to. */
  | 'bin'
  /** A request to publish, and so its playlist. */
  | 'request'
  /** A place in a playlist of headquarters, and so that playlist. */
  | 'slot';

/**
 * Subjects of administration: access and the server itself, not records of a workspace. The role of a member decides
 * about these; the member's limits do not. Visitors from headquarters are always refused (visitors.ts).
 */
const ADMINISTERED = [
  /** Accounts: passwords, two-factor sign-in, names, which workspace is open. */
  'accounts',
  'invites',
  /** Members of a workspace or an organization: roles, rights, whether publishing needs approval. */
  'members',
  'tokens',
  /** The connection to headquarters, and a headquarters' own stores. */
  'chain',
  /** Whole workspaces and organizations. */
  'workspaces',
] as const;
type Administered = (typeof ADMINISTERED)[number];

/** An act on records of a workspace. */
export type RecordAct =
  | { readonly on: Changed; readonly id: string | number }
  /** A content or folder is put into this folder; null: to the root, undefined: where it goes by itself. */
  | { readonly on: 'place' | 'newFolder'; readonly id: string | null | undefined }
  /** These tags are put on screens or taken off them; with `id` they are all that this screen has from now on. */
  | { readonly on: 'tags'; readonly tags: readonly string[]; readonly id?: string }
  /**
   * `new`: something is made that no screen shows yet. `membership`: who is in a group, which screens there are.
   * `everything`: all screens, or what the whole workspace has in common.
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
/** Returns the `acts` of an endpoint that changes one of these. */
export const administers = (what: Administered) => (): Act[] => [{ on: what }];

type Target = { readonly kind: 'device' | 'group' | 'tag'; readonly id: string } | { readonly kind: 'all' };
const SUBJECT = { device: 'screen', group: 'group' } as const;
/** @param tags what a tag stands for: those that have it now, or those that ever will */
export const targets = (list: readonly Target[], tags: 'tagged' | 'tag'): RecordAct[] =>
  list.map((target) =>
    target.kind === 'all' ? everything : on(target.kind === 'tag' ? tags : SUBJECT[target.kind], target.id),
  );

type Reference = string | null | undefined;

/**
 * What comes on screens, or may come there, without a playlist that somebody has approved. `undefined` of a reference:
 * it stays as it is.
 */
export type Showing =
  /** Whatever it is. */
  | { readonly by: 'itself' }
  /** It is shown otherwise wherever it was approved. */
  | { readonly by: 'edit'; readonly of: 'content' | 'widget' | 'kiosk'; readonly id: string }
  | { readonly by: 'item'; readonly id: number; readonly isMuted: boolean }
  /** The draft of a playlist is edited: that of a screen's own is published by the next edit of the screen. */
  | { readonly by: 'draft'; readonly playlist: string }
  | {
      readonly by: 'fallback';
      readonly of: 'device' | 'group';
      readonly ids: readonly string[];
      readonly content_id: Reference;
    }
  /** @param id null: it is being made */
  | { readonly by: 'wall'; readonly id: string | null; readonly content_id: Reference }
  | {
      readonly by: 'plan' | 'schedule';
      readonly id: string | null;
      readonly content_id: Reference;
      readonly widget_id: Reference;
    }
  | {
      readonly by: 'zones';
      /** Null: it is being made. */
      readonly layout: string | null;
      readonly zones: readonly {
        readonly id?: Reference;
        readonly content_id?: Reference;
        readonly widget_id?: Reference;
      }[];
    }
  | { readonly by: 'bin'; readonly id: string };

/** For an endpoint that changes nothing (a preview) or only the caller's own view, or shows nothing new. */
export const nothing = (): [] => [];
/** For what goes onto screens past every playlist. */
export const atOnce = (): Showing[] => [{ by: 'itself' }];
