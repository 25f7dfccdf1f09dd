/** Colours for plans that have no chosen colour. They are dark enough for a white tick, and easy to tell apart. */
export const PLAN_COLOURS = [
  { value: '#3451d1', name: 'blue' },
  { value: '#0e7c66', name: 'green' },
  { value: '#b4532a', name: 'rust' },
  { value: '#8a2a63', name: 'plum' },
  { value: '#6d4bb8', name: 'violet' },
  { value: '#a8323e', name: 'red' },
  { value: '#8f650d', name: 'gold' },
  { value: '#5b6b7c', name: 'grey' },
] as const satisfies readonly { value: string; name: string }[];

/** Returns the colour that was chosen for a plan, or a constant colour that is derived from the plan's id. */
export const colourOf = ({ id, color = null }: { id: string; color?: string | null }): string => {
  if (color) return color;
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return PLAN_COLOURS[sum % PLAN_COLOURS.length]!.value;
};
