import './Brand.css';

/**
 * The logo: a pane of glass with two glints of light that form a V. The same drawing as the program's icon
 * (build/icons) and the icon on the players' pages.
 */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden>
      <rect className="pane" width="32" height="32" rx="7" />
      <path className="glint" d="M8 9h4.25L16 19.75 13.875 25z" />
      <path className="lamp" d="M24 9h-4.25l-5.875 16h4.25z" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="wordmark" translate="no">
      <BrandMark />
      <span>{'Vitrine'}</span>
    </span>
  );
}
