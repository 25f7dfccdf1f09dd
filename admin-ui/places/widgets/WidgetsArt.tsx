import { Plaque } from '../../components/Art.tsx';

/** Decoration for the empty page. */
export function WidgetsArt() {
  return (
    <Plaque>
      <rect className="paper" x="40" y="42" width="64" height="72" rx="8" />
      <circle className="soft" cx="72" cy="72" r="19" />
      <path className="accent-stroke" d="M72 60v12l8 6" />
      <path className="line" d="M54 102h36" />
      <rect className="paper" x="112" y="42" width="68" height="32" rx="8" />
      <circle className="lamp" cx="130" cy="58" r="9" />
      <path className="line" d="M146 54h24M146 62h16" />
      <rect className="paper" x="112" y="82" width="68" height="32" rx="8" />
      <path className="accent" d="M122 90h16v16h-16z" />
      <path className="line" d="M146 94h24M146 102h18" />
    </Plaque>
  );
}
