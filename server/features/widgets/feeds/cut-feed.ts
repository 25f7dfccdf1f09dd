/**
 * Completes feeds that were truncated, because a server sent only a part or because the file is larger than the limit.
 */

interface CutHere {
  /** Position in the source directly after a complete item. */
  readonly end: number;
  /** Elements that are open at that position, outermost first. */
  readonly open: readonly string[];
}

/** Maximum depth of elements. Deeper feeds are not completed, so that the time does not grow with the depth. */
const MAX_DEPTH = 100;
const ROOT = /^(?:[\w.-]{1,40}:)?(?:rss|feed|rdf)$/;
const ITEM = /^(?:[\w.-]{1,40}:)?(?:item|entry)$/;

/**
 * Returns a truncated feed up to its last complete item, with the open elements closed. Returns any other text
 * unchanged.
 * @throws Error when no item is complete
 */
export const completeItems = (source: string): string => {
  const { isCut, whole } = source.trimStart().startsWith('{') ? completeJson(source) : completeXml(source);
  if (!isCut) return source;
  if (whole === undefined) throw new Error('the end of the feed is missing, and none of its entries is complete');
  return whole;
};

interface Completed {
  readonly isCut: boolean;
  /** Returns the text up to the last complete item. */
  readonly whole?: string | undefined;
}
const NOT_CUT: Completed = { isCut: false };

const completeXml = (source: string): Completed => {
  const open: string[] = [];
  let last: CutHere | undefined;
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at)) {
    const end = endOfMarkup(source, at);
    if (end === undefined) break;
    const tag = source.slice(at + 1, Math.min(end - 1, at + 200));
    const name = /^\/?[^\s/>]*/.exec(tag)![0].toLowerCase();
    const isElement = !tag.startsWith('!') && !tag.startsWith('?') && source[end - 2] !== '/';
    at = end;
    if (!isElement) continue;
    if (!name.startsWith('/')) {
      if (open.length === MAX_DEPTH || (open.length === 0 && !ROOT.test(name))) return NOT_CUT;
      open.push(name);
      continue;
    }
    const begun = open.lastIndexOf(name.slice(1));
    if (begun === 0) return NOT_CUT;
    if (begun > 0) open.length = begun;
    if (ITEM.test(name.slice(1))) last = { end, open: [...open] };
  }
  if (open.length === 0) return NOT_CUT;
  const closing = last?.open.map((name) => `</${name}>`).toReversed();
  const whole = last && source.slice(0, last.end) + closing?.join('');
  return { isCut: true, whole };
};

/** Returns the index after a tag, comment or CDATA section; undefined if its end is missing. */
const endOfMarkup = (source: string, open: number): number | undefined => {
  const marker = source.startsWith('<!--', open) ? '-->' : source.startsWith('<![CDATA[', open) ? ']]>' : '>';
  const found = source.indexOf(marker, open + 1);
  return found < 0 ? undefined : found + marker.length;
};

const completeJson = (source: string): Completed => {
  const open: string[] = [];
  let last: number | undefined;
  for (let at = 0; at < source.length; at++) {
    const letter = source[at]!;
    if (letter === '"') {
      at = endOfString(source, at);
    } else if (letter === '{' || letter === '[') {
      if (open.length === MAX_DEPTH) return NOT_CUT;
      open.push(letter);
    } else if (letter === '}' || letter === ']') {
      open.pop();
      if (open.length === 0) return NOT_CUT;
      if (open.length === 2 && open.join('') === '{[') last = at + 1;
    }
  }
  return { isCut: true, whole: last === undefined ? undefined : `${source.slice(0, last)}]}` };
};

/** Returns the index of the closing quote, or the length of the source if there is none. */
const endOfString = (source: string, open: number): number => {
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '"') return at;
  }
  return source.length;
};
