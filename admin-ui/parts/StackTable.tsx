import type { ReactNode } from 'react';
import '../components/Table.css';
import { useOneStop } from '../components/useOneStop.ts';

type StackColumn = {
  name: string;
  className?: string;
  /** Its name is read, and not seen: it holds buttons. */
  isHidden?: boolean;
};

type StackTableProps = {
  /** Read, not seen: a heading says it to who sees. */
  caption: string;
  /** Classes of the box and of the table, beside those of every table. */
  box: string;
  table: string;
  columns: readonly StackColumn[];
  /** Its rows. */
  children: ReactNode;
};

/** A table whose rows are cards where the window is narrow, and that Tab passes in one stop. */
export function StackTable({ caption, box, table, columns, children }: StackTableProps) {
  const keys = useOneStop<HTMLTableSectionElement>();
  return (
    <div className={`table-box ${box}`}>
      <table className={`table stack ${table}`}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, className, isHidden }) => (
              <th key={name} scope="col" className={className}>
                {isHidden ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...keys}>{children}</tbody>
      </table>
    </div>
  );
}
