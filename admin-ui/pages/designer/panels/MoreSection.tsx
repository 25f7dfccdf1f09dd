import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

/** A closed section of rarely used properties. Its content is rendered while it is open. */
export function MoreSection({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="more-section" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight aria-hidden />
        {title}
      </summary>
      {open && <div className="form">{children}</div>}
    </details>
  );
}
