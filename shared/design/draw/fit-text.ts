/** Makes text smaller until it fits its box. The browser lays the text out; this module only chooses the size. */

/** Smallest size relative to the wanted size. A smaller text is cut, because nobody could read it from a distance. */
export const SMALLEST = 0.2;
/** Steps of the search. Ten halve the range to less than one thousandth of the wanted size. */
export const STEPS = 10;
/** Browsers round sizes of boxes to whole pixels. */
export const ROUNDING_PX = 1;

const fits = (content: HTMLElement, area: HTMLElement): boolean =>
  content.scrollHeight <= area.clientHeight + ROUNDING_PX && content.scrollWidth <= area.clientWidth + ROUNDING_PX;

/**
 * Sets the largest size up to `wanted` at which the content fits. Returns the size in pixels, and whether the text fits.
 * Both elements must be in the document.
 * @param wanted pixels
 */
export const fitText = (
  content: HTMLElement,
  area: HTMLElement,
  wanted: number,
): { readonly size: number; readonly fits: boolean } => {
  const at = (size: number): boolean => {
    content.style.fontSize = `${size}px`;
    return fits(content, area);
  };
  if (at(wanted)) return { size: wanted, fits: true };
  let [low, high] = [wanted * SMALLEST, wanted];
  if (!at(low)) {
    content.style.overflowWrap = 'anywhere';
    return { size: low, fits: at(low) };
  }
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (at(middle)) low = middle;
    else high = middle;
  }
  at(low);
  return { size: low, fits: true };
};
