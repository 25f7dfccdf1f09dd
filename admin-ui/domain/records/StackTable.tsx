import type { ReactNode } from 'react';
import '../../components/lists/Table.css';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';

type StackColumn = {
  name: string;
  className?: string;
  /** Shows the column header only to screen readers, since the column contains buttons. */
  isHidden?: boolean;
};

type StackTableProps = {
  /** Name of the table for screen readers. Sighted users see a heading. */
  caption: string;
  /** Additional CSS classes of the box and of the table. */
  box: string;
  table: string;
  columns: readonly StackColumn[];
  /** The rows of the table. */
  children: ReactNode;
};

/** A table whose rows become cards in a narrow browser window. The table is one Tab stop. */
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
