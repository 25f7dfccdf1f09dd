/**
 * Renders the small window with the server's addresses and a QR code of the first address: a web page without script
 * and external resources.
 */
import { desktopWords } from '../../shared/desktop/words.ts';
import { escaped } from '../kernel/markup.ts';

/**
 * @param qr `data:image/png` address
 * @param languages languages of the system, the preferred first
 */
export const addressPage = (addresses: readonly string[], qr: string, languages: readonly string[]): string => {
  const { lang, words } = desktopWords(languages);
  const { title, or, open } = words.address;
  const [first = '', ...others] = addresses.map(escaped);
  const more = others.length > 0 ? `<p class="more">${or} ${others.join(`<br>${or} `)}</p>` : '';
  const style =
    'body{font:16px system-ui;margin:24px;text-align:center;background:#fff;color:#111}img{width:240px;height:240px}.first{font-size:20px;font-weight:600;user-select:text}.more{color:#555;user-select:text}';
  const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"><title>${title}</title><style>${style}</style><img alt="" src="${escaped(qr)}"><p class="first">${first}</p>${more}<p>${open}</p>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
};
