import type { ReactNode } from 'react';
import './DangerZone.css';

/** Section at the end of a page with actions that cannot be undone. */
export function DangerZone({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className="danger-zone">
      <div>
        <h2>{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </section>
  );
}
