/**
 * The keys of each place, as they are told in the handbook. A walk through the window by keys alone presses nothing
 * else (test/e2e/admin-access.test.ts). `Mod` is Ctrl, on a Mac ⌘; `Arrows` any arrow key.
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
/** Of keys and chords, the parts that are called otherwise elsewhere. */
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

/** What a language calls all that. */
export interface KeyTexts {
  readonly places: Readonly<Record<KeyPlace, string>>;
  readonly deeds: Readonly<Record<KeyDeed, string>>;
  readonly names: Readonly<Record<KeyName, string>>;
  /** Heads of the columns. */
  readonly key: string;
  readonly does: string;
}

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** "Home End" → the keys, each with the parts that are pressed together, as they are written on a keyboard. */
export const keysInWords = (keys: string, { names }: KeyTexts): readonly (readonly string[])[] =>
  keys
    .split(' ')
    .map((chord) =>
      chord
        .split('+')
        .map((part) => (part === 'Mod' && isApple ? '⌘' : ((names as Record<string, string>)[part] ?? part))),
    );
