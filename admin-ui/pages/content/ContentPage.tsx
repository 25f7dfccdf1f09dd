import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { useManagedIds } from '../../api/chain/managed.ts';
import { labelsQuery } from '../../api/files/content.ts';
import { FileDrop } from '../../components/fields/FileDrop.tsx';
import { Notice, Page } from '../../components/frame/Page.tsx';
import { useNarrow } from '../../components/hooks/useMedia.ts';
import { SelectionBar } from '../../components/lists/SelectionBar.tsx';
import { useUploadInto } from '../../domain/content/useUploadInto.ts';
import '../../components/frame/Toolbar.css';
import { ActionButtons, ActionDialogs, type ContentAction, useContentAction } from './ActionDialogs.tsx';
import { AddAddress } from './AddAddress.tsx';
import { AddContent } from './AddContent.tsx';
import { ContentDialog } from './ContentDialog.tsx';
import './content.css';
import { type FolderAsk, FolderDialogs } from './folders/FolderDialogs.tsx';
import { FolderTree } from './folders/FolderTree.tsx';
import { LibraryContents } from './library/LibraryContents.tsx';
import { LibraryToolbar } from './library/LibraryToolbar.tsx';
import { useContentData } from './library/useContentData.ts';
import { type AddressChange, useLibraryAddress } from './library/useLibraryAddress.ts';
import { useLibraryPlace } from './library/useLibraryPlace.ts';
import { useDragToFolder, useLibrarySelection } from './library/useLibrarySelection.ts';
import { useContentEdits } from './useContentEdits.ts';

const NO_LABELS: readonly { folder: string; count: number }[] = [];

/** The library: all contents, or those of a folder or label. */
export function ContentPage() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const address = useLibraryAddress();
  const { filter, view, label, show } = address;
  const data = useContentData(filter);
  const place = useLibraryPlace(address.folder, label);
  const { folders, tree, reach, path, here, mayAdd } = place;
  const labels = useQuery(labelsQuery).data ?? NO_LABELS;
  const isOwn = (content: Content) => reach.has(content.folder_id);
  const selection = useLibrarySelection(data, filter, isOwn);
  const edits = useContentEdits();
  const narrow = useNarrow();
  const { action, setAction, ask, replace } = useContentAction();
  const [folderAsk, setFolderAsk] = useState<FolderAsk>();
  const [adding, setAdding] = useState(false);
  const uploadInto = useUploadInto(here?.id ?? reach.home);
  const filtered = Boolean(filter.q ?? filter.type ?? filter.validity ?? filter.owner);
  const hasOwners = useManagedIds('content').size > 0 || filter.owner !== undefined;
  const changeAddress = (change: AddressChange) => {
    selection.clear();
    address.change(change);
  };
  const { dragged, onMoveTo } = useDragToFolder(data, selection, edits);
  const chosen = [...selection.chosen.values()];
  const done = (what: ContentAction['what']) => {
    setAction(undefined);
    selection.clear();
    void queries.invalidateQueries({ queryKey: labelsQuery.queryKey });
    if (what === 'delete' && address.shown) show(undefined);
  };
  const library = data.total > 0 || filtered || place.kind !== 'library' || place.isGone || folders.length > 0;
  const add = mayAdd && (
    <AddContent
      folderId={here?.id ?? reach.home ?? undefined}
      onFiles={(files) => void uploadInto(files)}
      onAddress={() => setAdding(true)}
    />
  );
  const hasPlaces = library && (folders.length > 0 || labels.length > 0 || data.canWrite);
  const count = filtered ? t('content.countFound', { count: data.total }) : t('content.count', { count: data.total });
  return (
    <FileDrop
      title={here ? t('content.dropInto', { name: here.name }) : t('content.drop')}
      lead={t('content.dropHelp')}
      onFiles={(files) => void uploadInto(files)}
      isDisabled={!mayAdd}
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
        {place.limit && <Notice tone="info">{place.limit}</Notice>}
        <div className={hasPlaces && !narrow ? 'content-places' : undefined}>
          {hasPlaces && !narrow && (
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
              <LibraryToolbar
                q={address.q}
                filter={filter}
                view={view}
                folders={narrow && folders.length > 0 ? tree : undefined}
                folderId={here?.id}
                hasOwners={hasOwners}
                onChange={changeAddress}
              />
            )}
            <LibraryContents
              view={view}
              data={data}
              selection={selection}
              isOwn={isOwn}
              onOpen={show}
              onAsk={ask}
              onFile={replace}
              dragged={dragged}
              filtered={filtered}
              place={place}
              add={add}
              onChange={changeAddress}
            />
          </div>
        </div>
        {chosen.length > 0 && (
          <SelectionBar
            text={t('selection.count', { count: chosen.length })}
            onClear={selection.clear}
            onAll={chosen.length < data.total ? () => void selection.chooseAll() : undefined}
          >
            <ActionButtons contents={chosen} onAction={setAction} />
          </SelectionBar>
        )}
      </Page>
      {address.shown && (
        <ContentDialog
          id={address.shown}
          onClose={() => show(undefined)}
          onDelete={(content) => ask('delete', content)}
        />
      )}
      {action && (
        <ActionDialogs
          action={action}
          edits={edits}
          onClose={() => setAction(undefined)}
          onDone={done}
          onUpload={(file) => void uploadInto([{ file, folders: [] }])}
        />
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
