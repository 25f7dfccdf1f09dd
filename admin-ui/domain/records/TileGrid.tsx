import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import '../../components/lists/Tile.css';
import { Bone } from '../../components/frame/Page.tsx';
import { VirtualGrid } from '../../components/lists/VirtualGrid.tsx';
import { Unanswered } from './QueryFailure.tsx';
import './TileGrid.css';

const REM = 16;

export type TileGridProps<T> = {
  label: string;
  query: UseQueryResult<readonly unknown[]>;
  /** The records of the answer that are shown. */
  records: readonly T[];
  /** Shown if there are no records. */
  empty: ReactNode;
  /** Minimum width of a tile, in rem. */
  tile: number;
  /** Height in rem of a tile of minimum width, for placeholders while loading. */
  tall: number;
  /** Whether the height of a tile grows with its width, like the height of a picture. */
  grows?: boolean;
  bones?: number;
  tight?: boolean;
  children: (record: T) => ReactNode;
};

/** A list as tiles, of which only visible ones are drawn, with its empty, loading and failed states. */
export function TileGrid<T extends { readonly id: string }>({
  label,
  query,
  records,
  empty,
  tile,
  tall,
  grows = true,
  bones = 3,
  tight = false,
  children,
}: TileGridProps<T>) {
  const columns = `repeat(auto-fill, minmax(min(${tile}rem, 100%), 1fr))`;
  return (
    <>
      <Unanswered
        query={query}
        bones={
          <div
            className={tight ? 'tile-bones tight' : 'tile-bones'}
            style={{ gridTemplateColumns: columns }}
            aria-hidden
          >
            {Array.from({ length: bones }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
              <Bone key={i} height={`${tall}rem`} radius="var(--r-xl)" />
            ))}
          </div>
        }
      />
      {query.isSuccess && records.length === 0 && empty}
      {records.length > 0 && (
        <VirtualGrid
          label={label}
          count={records.length}
          minColumn={tile * REM}
          gap={tight ? REM : 1.25 * REM}
          estimateRow={(width) => tall * REM + (grows ? ((width - tile * REM) * 9) / 16 : 0)}
          keyOf={(i) => records[i]!.id}
          renderCell={(i) => children(records[i]!)}
        />
      )}
    </>
  );
}
