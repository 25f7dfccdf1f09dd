import type { ReactNode } from 'react';
import { Section } from '../../components/frame/Page.tsx';
import { partId, type ServerPart } from './server.parts.ts';

type ServerCardProps = { part: ServerPart; title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A section of the page with its own address. */
export function ServerCard({ part, title, lead, actions, children }: ServerCardProps) {
  return (
    <div className="card pad server-card" id={partId(part)}>
      <Section title={title} lead={lead} actions={actions}>
        {children}
      </Section>
    </div>
  );
}
