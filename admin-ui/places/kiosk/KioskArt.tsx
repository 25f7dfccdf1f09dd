import { Plaque } from '../../components/Art.tsx';

/** Decoration for the empty page. */
export function KioskArt() {
  return (
    <Plaque>
      <rect className="glass" x="58" y="34" width="104" height="84" rx="8" />
      <rect className="glass-2" x="64" y="40" width="92" height="72" rx="4" />
      <rect className="accent" x="72" y="56" width="34" height="20" rx="4" />
      <rect className="paper" x="114" y="56" width="34" height="20" rx="4" />
      <rect className="paper" x="72" y="84" width="34" height="20" rx="4" />
      <rect className="lamp" x="114" y="84" width="34" height="20" rx="4" />
      <path className="line" d="M110 118v16M88 134h44M78 48h40" />
    </Plaque>
  );
}
