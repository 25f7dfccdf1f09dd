/**
 * Makes labels of contents from names that clients send. Labels are for people and are never used as paths. Accepts any
 * text.
 */

const MAX_LENGTH = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point; with them go the marks that turn text around
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Returns a label from the file name that a client sent: the last segment of a path of any system, at most 200
 * characters, with its extension.
 */
export const labelOfUpload = (claimed: string): string => {
  const last = claimed.split(/[/\\]/).findLast((segment) => segment.trim() !== '') ?? '';
  const label = clean(last);
  return /^\.*$/.test(label) ? 'Untitled' : shorten(label);
};

/** Returns a label from what a person typed: separators become dashes ("Sale 50/50"). */
export const labelOfName = (name: string): string => shorten(clean(name.replace(/[/\\]/g, '-'))) || 'Untitled';

/** Returns the last segment of a URL, or its host. */
export const labelOfUrl = (url: URL): string => {
  const segment = url.pathname.split('/').findLast(Boolean) ?? '';
  return segment ? labelOfUpload(decode(segment)) : url.hostname;
};

const clean = (text: string): string => text.toWellFormed().replace(UNSEEN, '').trim();

const shorten = (label: string): string => {
  if (label.length <= MAX_LENGTH) return label;
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(label)?.[0] ?? '';
  return (
    label
      .slice(0, MAX_LENGTH - extension.length)
      .toWellFormed()
      .trimEnd() + extension
  );
};

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
