import type { ComponentProps, ReactNode } from 'react';
import { Bone } from '../../../components/frame/Page.tsx';
import { QueryFailure } from '../../../domain/records/QueryFailure.tsx';
import { ContentGrid } from './ContentGrid.tsx';
import { FolderGone, NoContent, NoneFound } from './EmptyLibrary.tsx';
import type { AddressChange } from './useLibraryAddress.ts';
import type { LibraryPlace } from './useLibraryPlace.ts';

type LibraryContentsProps = ComponentProps<typeof ContentGrid> & {
  /** Whether a search or filter limits the contents. */
  filtered: boolean;
  place: LibraryPlace;
  /** The button that adds content. */
  add: ReactNode;
  onChange: (change: AddressChange) => void;
};

/** The contents of the library, a folder or a label, or the reason why there are none. */
export function LibraryContents({ filtered, place, add, onChange, ...grid }: LibraryContentsProps) {
  const { data } = grid;
  const { isGone } = place;
  const isEmpty = data.status === 'success' && data.total === 0 && !isGone;
  return (
    <>
      {data.status === 'pending' && <GridSkeleton />}
      {data.status === 'error' && !isGone && <QueryFailure query={data} />}
      {data.total === 0 && isGone && <FolderGone onChange={onChange} />}
      {isEmpty && !filtered && <NoContent place={place} add={add} />}
      {isEmpty && filtered && <NoneFound onChange={onChange} />}
      {data.total > 0 && <ContentGrid {...grid} />}
    </>
  );
}

function GridSkeleton() {
  return (
    <div className="waiting-list" aria-hidden>
      {[0, 1, 2].map((i) => (
        <Bone key={i} height="9rem" radius="var(--r-l)" />
      ))}
    </div>
  );
}
