import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../../shared/contract/errors.ts';
import { useNameOfPage } from '../../api/editing/pageTitle.ts';
import { Bone, Page } from '../../components/frame/Page.tsx';
import { NotFound, type Way } from './NotFound.tsx';
import { QueryFailure } from './QueryFailure.tsx';

type RecordPageProps<R> = {
  query: Pick<UseQueryResult, 'error' | 'refetch'>;
  record: R | undefined;
  /** Name of the record, once known. */
  name: string | undefined;
  /** The list to which the record belongs. */
  list: Way;
  /** Label of the button on the page of a missing record. @default the label of the list */
  leave?: string;
  /** True if the record does not exist, although no request failed. */
  isMissing?: boolean;
  /** Placeholder below the title while loading. */
  bones: ReactNode;
  children: (record: R, back: ReactNode) => ReactNode;
};

/**
 * The page of a record, and its states without a record: not found, failed, loading. These states are defined only
 * here.
 */
export function RecordPage<R>({
  query,
  record,
  name,
  list,
  leave = list.label,
  isMissing = false,
  bones,
  children,
}: RecordPageProps<R>) {
  useNameOfPage(name);
  if (isMissing || (query.error instanceof ApiError && query.error.status === 404)) {
    return (
      <div className="page">
        <NotFound to={list.to} label={leave} />
      </div>
    );
  }
  const back = (
    <Link to={list.to} className="crumb">
      <ChevronLeft aria-hidden />
      {list.label}
    </Link>
  );
  if (record !== undefined) return children(record, back);
  if (query.error) return <QueryFailure query={query} />;
  return (
    <Page before={back} title={<Bone width="14rem" />}>
      {bones}
    </Page>
  );
}
