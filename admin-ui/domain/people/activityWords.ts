/** A part of a sentence: plain text, or a name that is highlighted. */
export type Piece = { text: string; name: boolean };

const MARKS = { who: '\u0001', what: '\u0002', screen: '\u0003' } as const;

/**
 * Placeholders for the names in a translation. The names are inserted afterwards, so that no name is read as markup.
 */
export const placeholders = MARKS;

export const piecesOf = (sentence: string, names: Record<keyof typeof MARKS, string>): Piece[] => {
  const nameAt: Record<string, string> = {
    [MARKS.who]: names.who,
    [MARKS.what]: names.what,
    [MARKS.screen]: names.screen,
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are control characters because no text has them
  const parts = sentence.split(/([\u0001-\u0003])/);
  return parts.filter((part) => part !== '').map((part) => ({ text: nameAt[part] ?? part, name: part in nameAt }));
};

/** The translation key of an action: `playlist.published` → `playlist_published`. */
export const sentenceKey = (action: string): string => action.replaceAll('.', '_');

const CODES =
  /\b(workspace_viewer|workspace_editor|workspace_admin|org_owner|org_admin)\b|(?<=\()(read|write|full)(?=\)$)/;

/**
 * Returns the details of an entry in the user's language: replaces the server's role, scope, alert kind or content
 * count by the words of `say`.
 */
export const spokenDetails = (
  action: string,
  details: string,
  say: {
    role: (code: string) => string;
    scope: (code: string) => string;
    alert: (kind: string) => string;
    contents: (count: number) => string;
  },
): string => {
  if (action === 'alert.rule_changed') return say.alert(details);
  if (action === 'workspace.exported')
    return details.replace(/^(\d+) contents?$/, (_, count) => say.contents(Number(count)));
  if (!/^(invite|member|organization|token)\./.test(action)) return details;
  return details.replace(CODES, (_, role: string | undefined, scope: string | undefined) =>
    role ? say.role(role) : say.scope(scope ?? ''),
  );
};

export type Noun = 'screen' | 'content' | 'playlist' | 'plan' | 'people' | 'token' | 'server' | 'store' | 'problem';

/** The kind of record that an action is about, for the icon of the entry. */
export const nounOf = (action: string): Noun => {
  if (
    action === 'device.error' ||
    action === 'device.warning' ||
    action === 'device.plays_lost' ||
    action === 'chain.incident' ||
    action === 'user.sign_in_failed'
  )
    return 'problem';
  switch (action.split('.')[0]) {
    case 'content':
    case 'folder':
    case 'widget':
    case 'kiosk':
    case 'layout':
      return 'content';
    case 'playlist':
    case 'assignment':
      return 'playlist';
    case 'plan':
    case 'schedule':
      return 'plan';
    case 'user':
    case 'member':
    case 'organization':
    case 'invite':
      return 'people';
    case 'token':
      return 'token';
    case 'chain':
    case 'store':
      return 'store';
    case 'workspace':
    case 'server':
    case 'backup':
      return 'server';
    default:
      return 'screen';
  }
};
