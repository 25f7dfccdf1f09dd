/** Search in the icons of designs. Pure. */

/** Words of each icon; the first word is its name for people. */
const ICON_WORDS: Readonly<Record<string, { readonly en: string; readonly de: string }>> = {
  coffee: { en: 'coffee cup breakfast', de: 'Kaffee Tasse Frühstück' },
  utensils: { en: 'restaurant lunch fork knife', de: 'Restaurant Mittagessen Besteck' },
  pizza: { en: 'pizza italian', de: 'Pizza italienisch' },
  beer: { en: 'beer pub', de: 'Bier Kneipe' },
  wine: { en: 'wine glass', de: 'Wein Glas' },
  'shopping-cart': { en: 'cart shopping', de: 'Einkaufswagen einkaufen' },
  tag: { en: 'offer price', de: 'Angebot Preis' },
  percent: { en: 'percent discount sale', de: 'Prozent Rabatt Ausverkauf' },
  star: { en: 'star favourite', de: 'Stern Liebling' },
  heart: { en: 'heart love', de: 'Herz Liebe' },
  gift: { en: 'gift present', de: 'Geschenk' },
  clock: { en: 'clock opening hours', de: 'Uhr Öffnungszeiten' },
  'map-pin': { en: 'place address', de: 'Ort Adresse' },
  phone: { en: 'phone call', de: 'Telefon Anruf' },
  wifi: { en: 'Wi-Fi internet', de: 'WLAN Internet' },
  info: { en: 'information', de: 'Information Auskunft' },
};

const wordsOf = (name: string, language: string): string =>
  ICON_WORDS[name]?.[language.startsWith('de') ? 'de' : 'en'] ?? name;

/** Returns the name of an icon for people. */
export const iconName = (name: string, language: string): string => wordsOf(name, language).split(' ')[0]!;

/** Returns the names of the icons whose words, in both languages, contain every word of the search. */
export const foundIcons = (text: string): string[] => {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.keys(ICON_WORDS).filter((name) => {
    const words = `${name} ${wordsOf(name, 'en')} ${wordsOf(name, 'de')}`.toLowerCase();
    return wanted.every((word) => words.includes(word));
  });
};
