import type { ReactNode } from 'react';
import { ShopFront } from './Art.tsx';
import { Wordmark } from './Brand.tsx';
import './Doorway.css';

type DoorwayProps = { title: string; step?: string; lead?: ReactNode; children: ReactNode; words?: { title: string; lead: string } };

/** The pages before one is in: a form, and the shop front beside it where there is room. */
export function Doorway({ title, step, lead, children, words }: DoorwayProps) {
  return (
    <div className="doorway">
      <main className="doorway-form">
        <div>
          <Wordmark />
          <header>
            {step && <p className="doorway-step">{step}</p>}
            <h1>{title}</h1>
            {lead && <p className="doorway-lead">{lead}</p>}
          </header>
          {children}
        </div>
      </main>
      <aside className="doorway-art">
        <ShopFront />
        {words && (
          <div className="doorway-words">
            <strong>{words.title}</strong>
            <p>{words.lead}</p>
          </div>
        )}
      </aside>
    </div>
  );
}
