import './Spinner.css';

/** Spinning indicator without a text alternative: text beside it must say what is in progress. */
export function Spinner() {
  return (
    <svg className="spinner" viewBox="0 0 20 20" aria-hidden>
      <circle cx="10" cy="10" r="8" />
      <circle cx="10" cy="10" r="8" />
    </svg>
  );
}
