/** Returns the first language of a machine that Vitrine supports; English if none is supported. */
export const languageOf = (languages: readonly string[]): 'en' | 'de' => {
  const first = languages.find((language) => /^(en|de)\b/i.test(language));
  return first?.toLowerCase().startsWith('de') ? 'de' : 'en';
};
