/** Returns the first of a machine's languages that is one of the two that Vitrine speaks; English where none is. */
export const languageOf = (languages: readonly string[]): 'en' | 'de' => {
  const first = languages.find((language) => /^(en|de)\b/i.test(language));
  return first?.toLowerCase().startsWith('de') ? 'de' : 'en';
};
