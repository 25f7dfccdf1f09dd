/** E-mail addresses as accounts have them: one spelling for each, and nothing in it that the eye does not see. */

/** Of the whole address (RFC 5321, with its angle brackets). */
export const MAX_EMAIL = 254;

/** Printable, of one line, and not what separates addresses in a mail's head. */
const LOCAL = /^[^\s@<>()[\]\\,;:"]+$/u;
/** Also without a dot: `owner@store` on a network without domains. */
const DOMAIN = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;
/** Invisible characters, blanks, and those that change the direction of text. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/**
 * Letters of another script, and marks on Latin ones that have no character of their own, look like what they are not.
 */
const FOREIGN_IN_LATIN = /[^\p{Script=Latin}\p{Script=Common}]/u;
const ASCII = /^[\x21-\x7e]+$/;

/**
 * The one spelling of an address: lower-cased, its domain in the letters that mail servers use (`xn--…`). Undefined
 * when it is no address, or one that could be mistaken for another: invisible characters, compatibility forms, Latin
 * mixed with another script.
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

/** By UTS 46, as browsers do it; what a browser would take for more than a host name is none. */
const inAscii = (domain: string): string | undefined => {
  const address = `http://${domain}/`;
  if (/[/?#:%]/.test(domain) || !URL.canParse(address)) return undefined;
  return new URL(address).hostname;
};
