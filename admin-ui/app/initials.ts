/** "Anna Maria Schmidt" → "AS". */
export const initialsOf = (name: string): string => {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word ? [...word][0] : ''));
  return letters.join('').toUpperCase() || '?';
};
