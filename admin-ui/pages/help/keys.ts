/**
 * The keyboard shortcuts of each page, as listed in the handbook. The keyboard test uses only these
 * (test/e2e/admin-access.test.ts). `Mod` is Ctrl, on a Mac ⌘; `Arrows` is any arrow key.
 */
export const keyTable = {
  anywhere: { 'Mod+K': 'find', F6: 'messages', Escape: 'close', 'Mod+P': 'print' },
  lists: {
    Arrows: 'next',
    'Home End': 'ends',
    'PageUp PageDown': 'pages',
    Enter: 'open',
    Space: 'choose',
    'Shift+Space': 'chooseTo',
    'Shift+F10': 'menu',
    F2: 'inside',
  },
  tables: { Arrows: 'cell', 'Home End': 'row', 'Mod+Home Mod+End': 'table', Space: 'choose' },
  items: { Space: 'pickUp', Arrows: 'carry', Escape: 'putBack' },
  calendar: { Arrows: 'beside', 'Shift+Arrows': 'movePlan', 'Alt+Arrows': 'endPlan', Enter: 'open' },
  layouts: {
    Arrows: 'moveZone',
    'Shift+Arrows': 'largeSteps',
    'Ctrl+Arrows': 'smallSteps',
    'Alt+Arrows': 'resize',
    'PageUp PageDown': 'raise',
    D: 'divide',
    Delete: 'takeOut',
    'Mod+Z': 'undo',
    'Mod+Shift+Z': 'redo',
  },
  walls: {
    Arrows: 'cellBeside',
    Enter: 'hang',
    'Shift+Arrows': 'swap',
    R: 'turn',
    Delete: 'takeDown',
    'Mod+Z': 'undo',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Table = typeof keyTable;
export type KeyPlace = keyof Table;
type KeyDeed = { [P in KeyPlace]: Table[P][keyof Table[P]] }[KeyPlace];
/** Names of keys that differ between languages. */
type KeyName =
  | 'Mod'
  | 'Ctrl'
  | 'Shift'
  | 'Arrows'
  | 'Home'
  | 'End'
  | 'PageUp'
  | 'PageDown'
  | 'Space'
  | 'Enter'
  | 'Escape'
  | 'Delete';

/** Texts of one language for the table of keys. */
export interface KeyTexts {
  readonly places: Readonly<Record<KeyPlace, string>>;
  readonly deeds: Readonly<Record<KeyDeed, string>>;
  readonly names: Readonly<Record<KeyName, string>>;
  /** Headings of the columns. */
  readonly key: string;
  readonly does: string;
}

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Returns the keys of a text like "Home End". Each key is a list of the parts that are pressed together, written as
 * on a keyboard.
 */
export const keysInWords = (keys: string, { names }: KeyTexts): readonly (readonly string[])[] =>
  keys
    .split(' ')
    .map((chord) =>
      chord
        .split('+')
        .map((part) => (part === 'Mod' && isApple ? '⌘' : ((names as Record<string, string>)[part] ?? part))),
    );
