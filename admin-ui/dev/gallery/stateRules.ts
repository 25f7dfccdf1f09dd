/**
 * Makes style rules for hover, focus and pressed apply also to elements with the attribute `data-as`, so that the
 * gallery can show these states side by side.
 */
const STATES: readonly (readonly [state: string, selector: RegExp])[] = [
  ['hover', /:hover\b|\[data-hovered\]/g],
  ['focus', /:focus(?:-visible|-within)?\b|\[data-focused\]|\[data-focus-visible\]/g],
  ['pressed', /:active\b|\[data-pressed\]/g],
];

const widen = (rules: CSSRuleList): void => {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule && !rule.selectorText.includes('data-as')) {
      const wide = STATES.reduce(
        (text, [state, selector]) => text.replace(selector, (found) => `:is(${found}, [data-as~='${state}'])`),
        rule.selectorText,
      );
      if (wide !== rule.selectorText) rule.selectorText = wide;
    }
    if ('cssRules' in rule) widen(rule.cssRules as CSSRuleList);
  }
};

/** Also covers style sheets that Vite adds or replaces later. */
export const copyStateRules = (): void => {
  const all = () => {
    for (const sheet of document.styleSheets) widen(sheet.cssRules);
  };
  all();
  new MutationObserver(all).observe(document.head, { childList: true, subtree: true, characterData: true });
};
