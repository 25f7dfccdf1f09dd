import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { ContentArt, NothingFoundArt } from '../../components/Art.tsx';
import { Button } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { FileDrop } from '../../components/FileDrop.tsx';
import { Bone, Empty, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import { usePhone } from '../../components/useMedia.ts';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import { describeProblem } from '../../data/useProblem.ts';
import { uploads } from '../../data/useUploads.ts';
import { ContentCard, ContentCardSkeleton } from './ContentCard.tsx';
import { ContentDialog } from './ContentDialog.tsx';
import './content.css';
import { type ContentSearch, filterOf, kinds, sorts } from './content.utils.ts';
import { DeleteContent } from './DeleteContent.tsx';
import { useContentData } from './useContentData.ts';

const ACCEPT = ['image/*', 'video/*', 'audio/*', 'application/pdf'];

export function ContentPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/content' });
  const search = useSearch({ from: '/shell/content' });
  const filter = useMemo(() => filterOf({ q: search.q, type: search.type, sort: search.sort } as ContentSearch), [search.q, search.type, search.sort]);
  const data = useContentData(filter);
  const phone = usePhone();
  const [deleting, setDeleting] = useState<Content>();
  const filtered = Boolean(filter.q ?? filter.type);
  const look = (change: { q?: string | undefined; type?: string | undefined; sort?: string | undefined }) =>
    void navigate({ search: (now) => Object.fromEntries(Object.entries({ ...now, ...change }).filter(([, v]) => v !== undefined && v !== '')), replace: true });
  const show = (id: string | undefined) => void navigate({ search: ({ show: _, ...now }) => (id === undefined ? now : { ...now, show: id }) });
  const library = data.total > 0 || filtered;
  const upload = data.canWrite && (
    <FileTrigger allowsMultiple acceptedFileTypes={ACCEPT} onSelect={(files) => files && uploads.add([...files])}>
      <Button icon={Upload} variant="primary">
        {t('content.uploadFiles')}
      </Button>
    </FileTrigger>
  );
  return (
    <FileDrop title={t('content.drop')} lead={t('content.dropHelp')} onFiles={(files) => uploads.add(files)} isDisabled={!data.canWrite}>
      <Page
        title={t('content.title')}
        lead={data.status === 'success' && library ? (filtered ? t('content.countFound', { count: data.total }) : t('content.count', { count: data.total })) : undefined}
        actions={library && upload}
      >
        {library && (
          <div className="toolbar">
            <SearchField label={t('content.search')} value={search.q ?? ''} onChange={(q) => look({ q })} />
            <Segments
              label={t('content.kind')}
              value={filter.type ?? 'all'}
              onChange={(type) => look({ type: type === 'all' ? undefined : type })}
              options={kinds.map((value) => ({ value, label: t(`content.kinds.${value}`) }))}
            />
            <div className="toolbar-end">
              <Select
                label={t('content.sort')}
                hideLabel
                value={filter.sort ?? 'newest'}
                onChange={(sort) => look({ sort: sort === 'newest' ? undefined : sort })}
                options={sorts.map((value) => ({ value, label: t(`content.sorts.${value}`) }))}
              />
            </div>
          </div>
        )}
        {data.status === 'pending' && <GridSkeleton />}
        {data.status === 'error' && <QueryFailure {...describeProblem(data.error, t)} onRetry={() => void data.refetch()} />}
        {data.status === 'success' && data.total === 0 && !filtered && (
          <Empty art={<ContentArt />} title={t('content.emptyTitle')} actions={upload}>
            {t('content.emptyHelp')}
          </Empty>
        )}
        {data.status === 'success' && data.total === 0 && filtered && (
          <Empty art={<NothingFoundArt />} title={t('content.noneFound')} actions={<Button onPress={() => look({ q: undefined, type: undefined })}>{t('content.showAll')}</Button>}>
            {t('content.noneFoundHelp')}
          </Empty>
        )}
        {data.total > 0 && (
          <VirtualGrid
            label={t('content.title')}
            count={data.total}
            minColumn={phone ? 150 : 184}
            gap={phone ? 14 : 20}
            estimateRow={(width) => (width * 9) / 16 + 56}
            keyOf={(i) => data.at(i)?.id ?? i}
            onRange={data.onRange}
            renderCell={(i) => {
              const content = data.at(i);
              return content ? <ContentCard content={content} canWrite={data.canWrite} onOpen={show} onDelete={setDeleting} /> : <ContentCardSkeleton />;
            }}
          />
        )}
      </Page>
      {search.show && <ContentDialog id={search.show} canWrite={data.canWrite} onClose={() => show(undefined)} onDelete={setDeleting} />}
      {deleting && (
        <DeleteContent
          content={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            if (search.show) show(undefined);
          }}
        />
      )}
    </FileDrop>
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
