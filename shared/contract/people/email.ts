/**
 * E-mail addresses of accounts. Each address is converted to one spelling, and addresses with invisible or misleading
 * characters are refused.
 */

/** Maximum length of the whole address (RFC 5321, with its angle brackets). */
export const MAX_EMAIL = 254;

/** Pattern of the part before the @: no spaces, and no characters that separate addresses in a mail header. */
const LOCAL = /^[^\s@<>()[\]\\,;:"]+$/u;
/** Domain of an address. A domain without a dot is allowed: `owner@store` in a network without domains. */
const DOMAIN = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;
/** Invisible characters, spaces, and characters that change the direction of text. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** Characters that do not belong in a Latin text, because they may look like Latin letters. */
const FOREIGN_IN_LATIN = /[^\p{Script=Latin}\p{Script=Common}]/u;
const ASCII = /^[\x21-\x7e]+$/;

/**
 * Returns the only spelling of an address: lower case, with its domain in ASCII (`xn--…`). Undefined for text that is
 * not an address or looks like another address: invisible characters, compatibility forms, Latin mixed with another
 * script.
 */
export const emailAddress = (typed: string): string | undefined => {
  const text = typed.trim();
  const at = text.lastIndexOf('@');
  const [given, domain] = [text.slice(0, at), text.slice(at + 1)];
  const local = given.toLowerCase();
  if (at < 1 || text.length > MAX_EMAIL || UNSEEN.test(text) || !LOCAL.test(local)) return undefined;
  if (
    !ASCII.test(given) &&
    (given.normalize('NFKC') !== given || (/\p{Script=Latin}/u.test(local) && FOREIGN_IN_LATIN.test(local)))
  )
    return undefined;
  const host = ASCII.test(domain) ? domain.toLowerCase() : inAscii(domain);
  if (host === undefined || !DOMAIN.test(host) || host.includes('..')) return undefined;
  const address = `${local}@${host}`;
  return address.length <= MAX_EMAIL ? address : undefined;
};

/**
 * Returns a domain in ASCII by UTS 46, like browsers. Undefined for text that a browser would read as more than a host
 * name.
 */
const inAscii = (domain: string): string | undefined => {
  const address = `http://${domain}/`;
  if (/[/?#:%]/.test(domain) || !URL.canParse(address)) return undefined;
  return new URL(address).hostname;
};
