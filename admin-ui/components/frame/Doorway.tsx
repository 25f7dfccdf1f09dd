import type { ReactNode } from 'react';
import shopFrontDrawing from '../../drawings/shop-front.svg?raw';
import { Wordmark } from './Brand.tsx';
import { Drawing } from './Drawing.tsx';
import './Doorway.css';

type DoorwayProps = {
  title: string;
  step?: string;
  lead?: ReactNode;
  children: ReactNode;
  words?: { title: string; lead: string };
};

/** Frame of the pages before sign-in: a form, and a shop front beside it if there is room. */
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
        <Drawing svg={shopFrontDrawing} />
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
