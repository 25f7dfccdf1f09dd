import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarRange, FolderInput, LayoutGrid, List, Tag, Trash2 } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Content, listContent } from '../../../shared/contract/content/content.ts';
import { OWNERS, type Owner } from '../../../shared/contract/people/owner.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { FileDrop } from '../../components/fields/FileDrop.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Bone, Empty, Notice, Page } from '../../components/frame/Page.tsx';
import { useNarrow, usePhone } from '../../components/hooks/useMedia.ts';
import { SelectionBar } from '../../components/lists/SelectionBar.tsx';
import { useSelection } from '../../components/lists/useSelection.ts';
import { useUploadInto } from '../../domain/content/useUploadInto.ts';
import { QueryFailure } from '../../domain/records/QueryFailure.tsx';
import { Unhindered } from '../../domain/saving/Hindered.tsx';
import contentDrawing from '../../drawings/content.svg?raw';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';
import '../../components/frame/Toolbar.css';
import { useManagedIds } from '../../api/chain/managed.ts';
import { labelsQuery } from '../../api/files/content.ts';
import { client } from '../../api/requests/client.ts';
import { MAX_PAGE } from '../../api/requests/pages.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { VirtualGrid } from '../../components/lists/VirtualGrid.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { AddAddress } from './AddAddress.tsx';
import { AddContent } from './AddContent.tsx';
import { ContentCard, ContentCardSkeleton, ContentRow, ContentRowSkeleton } from './ContentCell.tsx';
import { ContentDialog } from './ContentDialog.tsx';
import './content.css';
import { DeleteContent, LabelContent, LimitContent, MoveContent } from './ContentActions.tsx';
import { type ContentSearch, filterOf, kinds, sorts, type View, validities, views } from './content.utils.ts';
import { type FolderAsk, FolderDialogs } from './folders/FolderDialogs.tsx';
import { FolderTree } from './folders/FolderTree.tsx';
import { flatten, pathTo } from './folders/folders.utils.ts';
import { useFolders, useReach } from './folders/useFolders.ts';
import { ReplaceContent } from './ReplaceContent.tsx';
import { useContentData } from './useContentData.ts';
import { useContentEdits } from './useContentEdits.ts';

type Look = {
  q?: string | undefined;
  type?: string | undefined;
  validity?: string | undefined;
  owner?: string | undefined;
  sort?: string | undefined;
  view?: string | undefined;
  folder?: string | undefined;
  label?: string | undefined;
};
type Asking = { what: 'move' | 'label' | 'limit' | 'delete' | 'replace'; contents: readonly Content[]; file?: File };
const EVERYWHERE = '';

const NO_LABELS: readonly { folder: string; count: number }[] = [];

export function ContentPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate({ from: '/content' });
  const queries = useQueryClient();
  const tell = useProblem();
  const search = useSearch({ from: '/shell/content' });
  const { q, type, sort, folder, label, validity, owner } = search;
  const view: View = views.find((v) => v === search.view) ?? 'grid';
  const filter = useMemo(
    () => filterOf({ q, type, sort, folder, label, validity, owner } as ContentSearch),
    [q, type, sort, folder, label, validity, owner],
  );
  const data = useContentData(filter);
  const { folders, tree, areKnown } = useFolders();
  const labels = useQuery(labelsQuery).data ?? NO_LABELS;
  const reach = useReach();
  const isOwn = (content: Content) => reach.has(content.folder_id);
  const ownAt = (index: number) => {
    const content = data.at(index);
    return content && isOwn(content) ? content : undefined;
  };
  const selection = useSelection<Content>(ownAt, async (from, to) => (await data.load(from, to)).filter(isOwn));
  const edits = useContentEdits();
  const phone = usePhone();
  const narrow = useNarrow();
  const [asking, setAsking] = useState<Asking>();
  const [folderAsk, setFolderAsk] = useState<FolderAsk>();
  const [adding, setAdding] = useState(false);
  const path = pathTo(folders, folder);
  const here = path.at(-1);
  const isGone = folder !== undefined && areKnown && !here;
  const mayPut = here ? reach.has(here.id) : reach.home !== undefined;
  const uploadInto = useUploadInto(here?.id ?? reach.home);
  const filtered = Boolean(filter.q ?? filter.type ?? filter.validity ?? filter.owner);
  const hasOwners = useManagedIds('content').size > 0 || filter.owner !== undefined;
  const placed = Boolean(here ?? label);
  const look = (change: Look) => {
    selection.clear();
    void navigate({
      search: (now) =>
        Object.fromEntries(Object.entries({ ...now, ...change }).filter(([, v]) => v !== undefined && v !== '')),
      replace: true,
    });
  };
  const show = useCallback(
    (id: string | undefined) =>
      void navigate({ search: ({ show: _, ...now }) => (id === undefined ? now : { ...now, show: id }) }),
    [navigate],
  );
  const ask = useCallback((what: Asking['what'], content: Content) => setAsking({ what, contents: [content] }), []);
  const takeFile = useCallback(
    (content: Content, file: File) => setAsking({ what: 'replace', contents: [content], file }),
    [],
  );
  const chosen = [...selection.chosen.values()];
  const { chosen: chosenNow } = selection;
  const dragged = useCallback(
    (content: Content) => (chosenNow.has(content.id) ? [...chosenNow.keys()] : [content.id]),
    [chosenNow],
  );
  const moveTo = (to: { id: string; name: string } | null, ids: string[]) => {
    const all = new Map([...chosenNow, ...loaded(data).map((c) => [c.id, c] as const)]);
    const moving = ids.flatMap((id) => all.get(id) ?? []).filter((c) => c.folder_id !== (to?.id ?? null));
    if (moving.length > 0)
      void edits.move(moving, to?.id ?? null, to?.name ?? t('content.noFolder')).then(selection.clear);
  };
  const move = useRef(moveTo);
  move.current = moveTo;
  const onMoveTo = useCallback<typeof moveTo>((to, ids) => move.current(to, ids), []);
  const chooseAll = async () => {
    try {
      const all: Content[] = [];
      for (let offset = 0; offset < data.total; offset += MAX_PAGE) {
        const rows = await client.call(listContent, {
          query: { ...filter, limit: String(MAX_PAGE), offset: String(offset) },
        });
        all.push(...rows);
      }
      selection.choose(all.filter(isOwn));
    } catch (error) {
      tell(error);
    }
  };
  const done = () => {
    setAsking(undefined);
    selection.clear();
    void queries.invalidateQueries({ queryKey: labelsQuery.queryKey });
  };
  const library = data.total > 0 || filtered || placed || isGone || folders.length > 0;
  const add = mayPut && <AddContent onFiles={(files) => void uploadInto(files)} onAddress={() => setAdding(true)} />;
  const ownFolders = reach.names && format.list(reach.names);
  /** Tells users whose rights are limited to some folders what they may do here. */
  const limit =
    reach.names?.length === 0
      ? t('rights.ownFoldersGone')
      : here
        ? ownFolders && !mayPut && t('rights.ownFolders', { names: ownFolders })
        : ownFolders && t('rights.ownFoldersRoot', { names: ownFolders, home: reach.names?.[0] ?? '' });
  const places = library && (folders.length > 0 || labels.length > 0 || data.canWrite);
  const count = filtered ? t('content.countFound', { count: data.total }) : t('content.count', { count: data.total });
  return (
    <FileDrop
      title={here ? t('content.dropInto', { name: here.name }) : t('content.drop')}
      lead={t('content.dropHelp')}
      onFiles={(files) => void uploadInto(files)}
      isDisabled={!mayPut}
    >
      <Page
        title={here?.name ?? (label || t('nav.content'))}
        lead={
          data.status === 'success' && library
            ? [...path.slice(0, -1).map((f) => f.name), count].join(' · ')
            : undefined
        }
        actions={library && add}
      >
        {limit && <Notice tone="info">{limit}</Notice>}
        <div className={places && !narrow ? 'content-places' : undefined}>
          {places && !narrow && (
            <FolderTree
              folders={folders}
              tree={tree}
              labels={labels}
              current={here?.id}
              label={label}
              reach={reach}
              onAsk={setFolderAsk}
              onMoveTo={onMoveTo}
            />
          )}
          <div className="content-main">
            {library && (
              <div className="toolbar">
                <SearchField label={t('content.search')} value={q ?? ''} onChange={(text) => look({ q: text })} />
                {narrow && folders.length > 0 && (
                  <Select
                    label={t('content.folder')}
                    hideLabel
                    value={here?.id ?? EVERYWHERE}
                    onChange={(id) => look({ folder: id, label: undefined })}
                    options={[
                      { value: EVERYWHERE, label: t('content.everything') },
                      ...flatten(tree).map(({ folder: f, depth }) => ({
                        value: f.id,
                        label: `${'   '.repeat(depth)}${f.name}`,
                      })),
                    ]}
                  />
                )}
                <Segments
                  label={t('content.type')}
                  value={filter.type ?? 'all'}
                  onChange={(kind) => look({ type: kind === 'all' ? undefined : kind })}
                  options={kinds.map((value) => ({ value, label: t(`content.kinds.${value}`) }))}
                />
                <div className="toolbar-end">
                  {hasOwners && (
                    <Select<Owner | 'all'>
                      label={t('held.owner.label')}
                      hideLabel
                      value={filter.owner ?? 'all'}
                      onChange={(whose) => look({ owner: whose === 'all' ? undefined : whose })}
                      options={[
                        { value: 'all', label: t('held.owner.both') },
                        ...OWNERS.map((value) => ({ value, label: t(`held.owner.${value}`) })),
                      ]}
                    />
                  )}
                  <Select
                    label={t('content.validity.label')}
                    hideLabel
                    value={filter.validity ?? 'all'}
                    onChange={(standing) => look({ validity: standing === 'all' ? undefined : standing })}
                    options={validities.map((value) => ({ value, label: t(`content.validity.${value}`) }))}
                  />
                  <Select
                    label={t('content.sort')}
                    hideLabel
                    value={filter.sort ?? 'newest'}
                    onChange={(order) => look({ sort: order === 'newest' ? undefined : order })}
                    options={sorts.map((value) => ({ value, label: t(`content.sorts.${value}`) }))}
                  />
                  <Segments
                    label={t('content.view')}
                    value={view}
                    onChange={(next) => look({ view: next === 'grid' ? undefined : next })}
                    options={[
                      { value: 'grid', label: t('content.views.grid'), icon: LayoutGrid, iconOnly: true },
                      { value: 'list', label: t('content.views.list'), icon: List, iconOnly: true },
                    ]}
                  />
                </div>
              </div>
            )}
            {data.status === 'pending' && <GridSkeleton />}
            {data.status === 'error' && !isGone && <QueryFailure query={data} />}
            {data.total === 0 && isGone && (
              <Empty
                drawing={nothingFoundDrawing}
                title={t('problem.gone')}
                actions={<Button onPress={() => look({ folder: undefined })}>{t('content.everything')}</Button>}
              />
            )}
            {data.status === 'success' && data.total === 0 && !filtered && !isGone && (
              <Empty
                drawing={contentDrawing}
                title={placed ? t('content.emptyFolder') : t('content.emptyTitle')}
                actions={!placed && add}
              >
                {label
                  ? t('content.emptyLabelHelp')
                  : mayPut && (placed ? t('content.emptyFolderHelp') : t('content.emptyHelp'))}
              </Empty>
            )}
            {data.status === 'success' && data.total === 0 && filtered && !isGone && (
              <Empty
                drawing={nothingFoundDrawing}
                title={t('content.noneFound')}
                actions={
                  <Button
                    onPress={() => look({ q: undefined, type: undefined, validity: undefined, owner: undefined })}
                  >
                    {t('content.showAll')}
                  </Button>
                }
              >
                {t('content.noneFoundHelp')}
              </Empty>
            )}
            {data.total > 0 && (
              <VirtualGrid
                key={view}
                label={t('nav.content')}
                count={data.total}
                minColumn={view === 'list' ? 100_000 : phone ? 150 : 184}
                gap={view === 'list' ? 0 : phone ? 14 : 20}
                estimateRow={(width) => (view === 'list' ? 57 : (width * 9) / 16 + 56)}
                keyOf={(i) => data.at(i)?.id ?? i}
                isChosen={data.canWrite ? (i) => chosenNow.has(data.at(i)?.id ?? '') : undefined}
                onRange={data.onRange}
                renderCell={(index) => {
                  const content = data.at(index);
                  if (!content) return view === 'list' ? <ContentRowSkeleton /> : <ContentCardSkeleton />;
                  const Cell = view === 'list' ? ContentRow : ContentCard;
                  return (
                    <Cell
                      content={content}
                      index={index}
                      canWrite={isOwn(content)}
                      isSelected={chosenNow.has(content.id)}
                      selecting={chosenNow.size > 0}
                      onToggle={selection.toggle}
                      onOpen={show}
                      onAsk={ask}
                      onFile={takeFile}
                      dragged={dragged}
                    />
                  );
                }}
              />
            )}
          </div>
        </div>
        {chosen.length > 0 && (
          <SelectionBar
            text={t('selection.count', { count: chosen.length })}
            onClear={selection.clear}
            onAll={chosen.length < data.total ? () => void chooseAll() : undefined}
          >
            <Button size="small" icon={FolderInput} onPress={() => setAsking({ what: 'move', contents: chosen })}>
              {t('content.move')}
            </Button>
            <Button size="small" icon={Tag} onPress={() => setAsking({ what: 'label', contents: chosen })}>
              {t('content.label')}
            </Button>
            <Button size="small" icon={CalendarRange} onPress={() => setAsking({ what: 'limit', contents: chosen })}>
              {t('content.validity.label')}
            </Button>
            <Button
              size="small"
              icon={Trash2}
              variant="danger-quiet"
              onPress={() => setAsking({ what: 'delete', contents: chosen })}
            >
              {t('common.delete')}
            </Button>
          </SelectionBar>
        )}
      </Page>
      {search.show && (
        <ContentDialog
          id={search.show}
          onClose={() => show(undefined)}
          onDelete={(content) => ask('delete', content)}
        />
      )}
      {asking?.what === 'move' && (
        <MoveContent contents={asking.contents} edits={edits} onClose={() => setAsking(undefined)} onDone={done} />
      )}
      {asking?.what === 'label' && (
        <LabelContent contents={asking.contents} edits={edits} onClose={() => setAsking(undefined)} onDone={done} />
      )}
      {asking?.what === 'limit' && (
        <Unhindered kind="content" of={asking.contents} onClose={() => setAsking(undefined)}>
          <LimitContent contents={asking.contents} edits={edits} onClose={() => setAsking(undefined)} onDone={done} />
        </Unhindered>
      )}
      {asking?.what === 'replace' && asking.contents[0] && (
        <Unhindered kind="content" of={asking.contents} onClose={() => setAsking(undefined)}>
          <ReplaceContent
            content={asking.contents[0]}
            file={asking.file}
            onEnd={() => setAsking(undefined)}
            {...(asking.file && { onBeside: (file: File) => void uploadInto([{ file, folders: [] }]) })}
          />
        </Unhindered>
      )}
      {asking?.what === 'delete' && (
        <Unhindered kind="content" of={asking.contents} isFree onClose={() => setAsking(undefined)}>
          <DeleteContent
            contents={asking.contents}
            edits={edits}
            onClose={() => setAsking(undefined)}
            onDone={() => {
              done();
              if (search.show) show(undefined);
            }}
          />
        </Unhindered>
      )}
      {folderAsk && <FolderDialogs ask={folderAsk} current={here?.id} onClose={() => setFolderAsk(undefined)} />}
      {adding && (
        <AddAddress
          folderId={here?.id}
          onClose={() => setAdding(false)}
          onAdded={({ id }) => {
            setAdding(false);
            show(id);
          }}
        />
      )}
    </FileDrop>
  );
}

/** The contents that are loaded: on the page and around it. */
const loaded = ({ total, at }: Pick<ReturnType<typeof useContentData>, 'total' | 'at'>): Content[] =>
  Array.from({ length: total }, (_, i) => at(i)).filter((c) => c !== undefined);

function GridSkeleton() {
  return (
    <div className="waiting-list" aria-hidden>
      {[0, 1, 2].map((i) => (
        <Bone key={i} height="9rem" radius="var(--r-l)" />
      ))}
    </div>
  );
}
