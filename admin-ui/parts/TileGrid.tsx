import type { UseQueryResult } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import '../components/Tile.css';
import { Bone } from '../components/Page.tsx';
import { Unanswered } from './QueryFailure.tsx';
import './TileGrid.css';

/** How wide a tile is at least, and how many bones of which height stand for them while they are loading. */
type Look = { tile: string; bone: string; bones?: number; tight?: boolean };

type TileStatesProps = Look & { query: UseQueryResult<readonly unknown[]>; isEmpty: boolean; empty: ReactNode };

const gridOf = ({ tile, tight = false }: Look) => ({
  className: tight ? 'tile-grid tight' : 'tile-grid',
  style: { '--tile': tile } as CSSProperties,
});

/** What the page of a list shows while there is nothing in it: loading, failed, empty. */
export function TileStates({ query, isEmpty, empty, ...look }: TileStatesProps) {
  const bones = (
    <div {...gridOf(look)} aria-hidden>
      {Array.from({ length: look.bones ?? 3 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Bone key={i} height={look.bone} radius="var(--r-xl)" />
      ))}
    </div>
  );
  return (
    <>
      <Unanswered query={query} bones={bones} />
      {query.isSuccess && isEmpty && empty}
    </>
  );
}

export type TileGridProps<T> = Look & {
  query: UseQueryResult<readonly unknown[]>;
  /** The records of the answer that are shown. */
  records: readonly T[];
  empty: ReactNode;
  children: (record: T) => ReactNode;
};

/** A list as tiles, and what is in its place while it is empty, loading or failed. */
export function TileGrid<T extends { readonly id: string }>({
  query,
  records,
  empty,
  children,
  ...look
}: TileGridProps<T>) {
  return (
    <>
      <TileStates {...look} query={query} isEmpty={records.length === 0} empty={empty} />
      {records.length > 0 && (
        <ul {...gridOf(look)}>
          {records.map((record) => (
            <li key={record.id}>{children(record)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
