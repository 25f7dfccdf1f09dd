/** Small drawings for pages that are still empty. Decoration: the words beside them say everything. */
import type { ReactNode } from 'react';
import './Brand.css';

const scallops = (x: number, y: number, width: number, count: number) => {
  const w = width / count;
  return Array.from({ length: count }, (_, i) => ({ key: i, d: `M${x + i * w} ${y}h${w}v12a${w / 2} ${w / 2} 0 0 1 ${-w} 0z`, odd: i % 2 === 1 }));
};

/** The shop front, for the first pages anybody sees. */
export function ShopFront() {
  return (
    <svg className="art" viewBox="0 0 480 400" aria-hidden>
      <path className="line" d="M20 372h440" />
      <rect className="paper" x="60" y="92" width="360" height="280" rx="6" />
      <rect className="wall" x="84" y="150" width="216" height="170" rx="8" />
      <rect className="glass" x="104" y="172" width="176" height="104" rx="7" />
      <rect className="glass-2" x="112" y="180" width="160" height="88" rx="3" />
      <circle className="lamp" cx="234" cy="208" r="15" />
      <path className="accent" d="M112 268v-22l38-32 34 30 20-16 68 36v4z" />
      <path className="line" d="M192 276v22M166 298h52" />
      <rect className="paper" x="322" y="170" width="76" height="202" rx="6" />
      <rect className="wall" x="334" y="184" width="52" height="92" rx="4" />
      <circle className="accent" cx="388" cy="300" r="4" />
      <path className="line" d="M84 338h216" />
      <rect className="accent" x="74" y="62" width="332" height="34" rx="4" />
      <path d="M86 79h308" stroke="#fff" strokeWidth="2" strokeDasharray="1 7" strokeLinecap="round" opacity="0.6" />
      {scallops(52, 96, 376, 9).map(({ key, d, odd }) => (
        <path key={key} className={odd ? 'soft' : 'accent'} d={d} />
      ))}
      <path className="line" d="M52 96h376" />
      <path className="line" d="M96 192l22-22M100 214l44-44" opacity="0.7" />
      <rect className="soft" x="20" y="346" width="30" height="26" rx="4" />
      <path className="accent-stroke" d="M35 346v-26m0 10c-10 0-14-8-14-16 9 0 14 6 14 16zm0 8c10 0 14-8 14-16-9 0-14 6-14 16z" />
    </svg>
  );
}

/** What the drawings of empty pages hang on. */
export function Plaque({ children }: { children: ReactNode }) {
  return (
    <svg className="art" viewBox="0 0 220 150" aria-hidden>
      <rect className="wall" x="14" y="22" width="192" height="112" rx="16" />
      {children}
    </svg>
  );
}

export function ScreensArt() {
  return (
    <Plaque>
      <rect className="glass" x="42" y="38" width="120" height="72" rx="7" />
      <rect className="glass-2" x="48" y="44" width="108" height="60" rx="3" />
      <circle className="lamp" cx="132" cy="62" r="9" />
      <path className="accent" d="M48 104V92l26-22 22 20 14-10 46 22v2z" />
      <path className="line" d="M102 110v14M84 124h36" />
      <rect className="paper" x="150" y="70" width="40" height="58" rx="6" />
      <rect className="soft" x="156" y="77" width="28" height="44" rx="2" />
      <path className="accent-stroke" d="M163 99l5 5 9-10" />
    </Plaque>
  );
}

export function ContentArt() {
  return (
    <Plaque>
      <rect className="paper" x="44" y="48" width="72" height="60" rx="7" transform="rotate(-7 80 78)" />
      <rect className="paper" x="102" y="46" width="76" height="62" rx="7" transform="rotate(5 140 77)" />
      <path className="accent" d="M50 98l18-20 14 12 10-8 20 10-1 8-58 7z" />
      <circle className="lamp" cx="72" cy="66" r="6" />
      <path className="accent" d="M132 66l22 13-24 11z" />
      <circle className="accent" cx="110" cy="116" r="17" />
      <path className="accent-stroke" d="M110 123v-14m-6 6l6-6 6 6" stroke="#fff" />
      <path d="M110 123v-14m-6 6l6-6 6 6" stroke="#fff" strokeWidth="2.5" fill="none" strokeLinecap="round" strokeLinejoin="round" />
    </Plaque>
  );
}

export function PlaylistArt() {
  return (
    <Plaque>
      <rect className="paper" x="48" y="36" width="124" height="26" rx="7" />
      <rect className="paper" x="48" y="68" width="124" height="26" rx="7" />
      <rect className="paper" x="62" y="98" width="124" height="28" rx="7" />
      <rect className="accent" x="55" y="42" width="22" height="14" rx="3" />
      <rect className="soft" x="55" y="74" width="22" height="14" rx="3" />
      <rect className="lamp" x="69" y="105" width="22" height="14" rx="3" />
      <path className="line" d="M86 46h52M86 53h30M86 78h40M86 85h24M100 108h48M100 116h28" />
      <path className="accent-stroke" d="M176 104l6-6 6 6M182 98v22" />
    </Plaque>
  );
}

export function NothingFoundArt() {
  return (
    <Plaque>
      <circle className="paper" cx="102" cy="72" r="30" />
      <path className="accent-stroke" d="M124 95l22 22" />
      <path className="line" d="M90 72h24" />
    </Plaque>
  );
}

export function BrokenArt() {
  return (
    <Plaque>
      <path className="line" d="M40 84h44M136 84h44" />
      <path className="accent-stroke" d="M84 72v24M84 84h10M136 72v24M136 84h-10" />
      <path d="M104 68l-4 12h9l-4 14" className="accent-stroke" stroke="var(--lamp)" />
      <circle className="lamp" cx="110" cy="50" r="5" />
    </Plaque>
  );
}

export function ReportArt() {
  return (
    <Plaque>
      <rect className="paper" x="46" y="40" width="128" height="80" rx="8" />
      <path className="line" d="M58 106h104" />
      <rect className="soft" x="64" y="84" width="16" height="22" rx="3" />
      <rect className="accent" x="90" y="68" width="16" height="38" rx="3" />
      <rect className="lamp" x="116" y="54" width="16" height="52" rx="3" />
      <rect className="soft" x="142" y="76" width="16" height="30" rx="3" />
    </Plaque>
  );
}

export function CalendarArt() {
  return (
    <Plaque>
      <rect className="paper" x="46" y="36" width="128" height="84" rx="8" />
      <path className="line" d="M46 56h128M78 56v64M110 56v64M142 56v64" />
      <rect className="accent" x="82" y="66" width="24" height="30" rx="4" />
      <rect className="soft" x="50" y="62" width="24" height="18" rx="4" />
      <rect className="lamp" x="114" y="84" width="24" height="28" rx="4" />
      <rect className="soft" x="146" y="70" width="24" height="22" rx="4" />
      <path className="accent-stroke" d="M68 30v12M152 30v12" />
    </Plaque>
  );
}

export function KeyArt() {
  return (
    <Plaque>
      <circle className="paper" cx="84" cy="78" r="26" />
      <circle className="soft" cx="84" cy="78" r="10" />
      <path className="accent-stroke" d="M110 78h58m-14 0v14m-16-14v10" />
      <circle className="lamp" cx="168" cy="52" r="6" />
    </Plaque>
  );
}

export function LayoutArt() {
  return (
    <Plaque>
      <rect className="glass" x="44" y="36" width="132" height="82" rx="7" />
      <rect className="accent" x="50" y="42" width="80" height="54" rx="4" />
      <rect className="soft" x="134" y="42" width="36" height="54" rx="4" />
      <rect className="lamp" x="50" y="100" width="120" height="12" rx="3" />
      <path className="accent-stroke" d="M130 34v84M46 98h128" strokeDasharray="2 6" />
    </Plaque>
  );
}

export function ActivityArt() {
  return (
    <Plaque>
      <circle className="paper" cx="110" cy="78" r="36" />
      <path className="accent-stroke" d="M110 56v22l15 10" />
      <circle className="lamp" cx="146" cy="50" r="6" />
    </Plaque>
  );
}

export function GroupArt() {
  return (
    <Plaque>
      <rect className="glass" x="40" y="44" width="42" height="28" rx="4" />
      <rect className="glass" x="89" y="44" width="42" height="28" rx="4" />
      <rect className="glass" x="138" y="44" width="42" height="28" rx="4" />
      <rect className="accent" x="44" y="48" width="34" height="20" rx="2" />
      <rect className="accent" x="93" y="48" width="34" height="20" rx="2" />
      <rect className="accent" x="142" y="48" width="34" height="20" rx="2" />
      <path className="accent-stroke" d="M61 78v10h98V78M110 78v22" />
      <circle className="lamp" cx="110" cy="108" r="9" />
    </Plaque>
  );
}

export function WallArt() {
  return (
    <Plaque>
      <rect className="glass" x="50" y="36" width="58" height="38" rx="4" />
      <rect className="glass" x="112" y="36" width="58" height="38" rx="4" />
      <rect className="glass" x="50" y="78" width="58" height="38" rx="4" />
      <rect className="glass" x="112" y="78" width="58" height="38" rx="4" />
      <path className="accent" d="M54 112v-10l30-30 20 18v22zM116 112V94l12-10 38 24v4zM54 40h50v30H88l-4-4-6 4H54z" opacity="0.9" />
      <circle className="lamp" cx="146" cy="55" r="10" />
    </Plaque>
  );
}
