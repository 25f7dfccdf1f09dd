import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { type CSSProperties, createContext, type ReactNode, use } from 'react';
import { Drawing } from './Drawing.tsx';
import './Page.css';

type PageProps = {
  title: ReactNode;
  lead?: ReactNode;
  before?: ReactNode;
  actions?: ReactNode;
  narrow?: boolean;
  children: ReactNode;
};

/** The link from a page to its handbook topic, provided by the frame and shown after the page's lead. */
export const PageHelp = createContext<ReactNode>(null);

export function Page({ title, lead, before, actions, narrow = false, children }: PageProps) {
  const help = use(PageHelp);
  return (
    <div className={narrow ? 'page narrow' : 'page'}>
      <header className="page-head">
        <div className="page-title">
          {before}
          <h1>{title}</h1>
          {lead && (
            <p>
              <span>{lead}</span> {help}
            </p>
          )}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      <PageHelp value={lead ? null : help}>{children}</PageHelp>
    </div>
  );
}

type SectionProps = { title?: ReactNode; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section className="section">
      {title && (
        <div className="section-head">
          <h2>{title}</h2>
          {actions}
          {lead && <p>{lead}</p>}
        </div>
      )}
      {children}
    </section>
  );
}

type EmptyProps = { drawing: string; title: string; children?: ReactNode; actions?: ReactNode };

/** Shown on a page without records: what would be here, and how to create the first record. */
export function Empty({ drawing, title, children, actions }: EmptyProps) {
  return (
    <div className="empty">
      <Drawing svg={drawing} />
      <h2>{title}</h2>
      {children && (
        <p>
          <span>{children}</span> {use(PageHelp)}
        </p>
      )}
      {actions && <div className="empty-actions">{actions}</div>}
    </div>
  );
}

export type Tone = 'info' | 'good' | 'warn' | 'bad';
const noticeIcons = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const;

type NoticeProps = { tone: Tone; title?: ReactNode; children?: ReactNode; actions?: ReactNode };

/** A notice on the page. Screen readers announce a notice of tone `bad` when it appears. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  const Icon = noticeIcons[tone];
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon aria-hidden />
      <div className="notice-text">
        {title && <strong>{title}</strong>}
        {children && <p>{children}</p>}
      </div>
      {actions && <div className="notice-actions">{actions}</div>}
    </div>
  );
}

export function Badge({
  tone,
  dot = false,
  children,
}: {
  tone?: Tone | undefined;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={tone ? `badge ${tone}` : 'badge'}>
      {dot && <span className="dot" />}
      {children}
    </span>
  );
}

/** Grey placeholder for content that is loading. */
export function Bone({
  width = '100%',
  height = '1em',
  radius,
}: {
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
  radius?: string;
}) {
  return <span className="bone" aria-hidden style={{ width, height, ...(radius && { borderRadius: radius }) }} />;
}

/** Progress bar. `share` is from 0 to 1. */
export function Progress({ share, label, tone }: { share: number; label: string; tone?: 'good' | 'bad' }) {
  const percent = Math.min(1, Math.max(0, share)) * 100;
  return (
    <div
      className={tone ? `progress ${tone}` : 'progress'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent * 10) / 10}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}
