import './Brand.css';

/** A pane of glass; two glints of light on it make the V. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden>
      <rect className="pane" width="32" height="32" rx="8" />
      <path className="glint" d="M6.5 8h6.2l6.1 16h-5.6z" />
      <path className="lamp" d="M25.5 8h-5.4l-3 8.4 2.8 7.3z" />
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
