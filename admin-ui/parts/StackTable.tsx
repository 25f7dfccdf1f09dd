import type { ReactNode } from 'react';
import '../components/Table.css';
import { useOneStop } from '../components/useOneStop.ts';

type StackColumn = {
  name: string;
  className?: string;
  /** The header is only for screen readers, since the column contains buttons. */
  isHidden?: boolean;
};

type StackTableProps = {
  /** For screen readers. Sighted users have a heading. */
  caption: string;
  /** Additional classes of the box and of the table. */
  box: string;
  table: string;
  columns: readonly StackColumn[];
  /** The rows. */
  children: ReactNode;
};

/** A table whose rows become cards in a narrow window. It is one Tab stop. */
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
