import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import type { Design } from '../../../shared/design/design.ts';
import { FORMAT_SIZES, PAGE_FORMATS, type PageFormat } from '../../../shared/design/page-formats.ts';
import { contentQuery } from '../../api/files/content.ts';
import { designQuery } from '../../api/files/designs.ts';
import { useMay } from '../../api/session/rights.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import '../../components/frame/CanvasEditor.css';
import { LeaveGuard } from '../../components/frame/LeaveGuard.tsx';
import { Bone, Page } from '../../components/frame/Page.tsx';
import { ConflictNotice, SaveButtons, UndoButtons } from '../../components/frame/SaveBar.tsx';
import { useHistory } from '../../components/hooks/useHistory.ts';
import { useUndoKeys } from '../../components/keyboard/useUndoKeys.ts';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { KeptChanges } from '../../domain/saving/KeptNotice.tsx';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import { AddElement } from './AddElement.tsx';
import { DesignCanvas } from './DesignCanvas.tsx';
import './designer.css';
import { FormatGrid } from './FormatGrid.tsx';
import { LayerList } from './LayerList.tsx';
import { PageStrip } from './PageStrip.tsx';
import { ElementPanel } from './panels/ElementPanel.tsx';
import { PagePanel } from './panels/PagePanel.tsx';
import { SelectionPanel } from './panels/SelectionPanel.tsx';
import { useCanvasZoom } from './useCanvasZoom.ts';
import { useDesignClipboard } from './useDesignClipboard.ts';
import { useDesignEdits } from './useDesignEdits.ts';
import { useSaveDesign } from './useSaveDesign.ts';
import { ZoomButtons } from './ZoomButtons.tsx';

/** The designer: edits the document of a design in all formats. */
export function DesignerPage() {
  const { t } = useTranslation();
  const { contentId } = useParams({ from: '/shell/content/$contentId/design' });
  const record = useQuery(contentQuery(contentId));
  const sha256 = record.data?.content.sha256 ?? null;
  const document = useQuery({ ...designQuery(contentId, sha256 ?? ''), enabled: sha256 !== null });
  // While the document of a new version loads, the page keeps the former version with its ETag. Otherwise somebody
  // else's save would close the designer with its unsaved changes.
  const shown = useRef<Omit<DesignerProps, 'back'>>(undefined);
  if (shown.current?.content.id !== contentId) shown.current = undefined;
  if (record.data && document.data) shown.current = { ...record.data, design: document.data };
  return (
    <RecordPage
      query={record.isError ? record : document}
      record={shown.current}
      name={record.data?.content.filename}
      list={{ to: '/content', label: t('designer.all') }}
      bones={<Bone height="28rem" radius="var(--r-xl)" />}
    >
      {({ content, etag, design }, back) => (
        <Designer key={contentId} content={content} etag={etag} design={design} back={back} />
      )}
    </RecordPage>
  );
}

type DesignerProps = { content: Content; etag: string | undefined; design: Design; back: ReactNode };

function Designer({ content, etag, design, back }: DesignerProps) {
  const { t } = useTranslation();
  const { may: canEdit, why } = useMay('content', content.id);
  const draft = useHistory(design, etag);
  const save = useSaveDesign(content, draft);
  const [format, setFormat] = useState<PageFormat>('landscape');
  const [isGrid, setGrid] = useState(false);
  const edits = useDesignEdits(draft, format);
  useUndoKeys(draft);
  useDesignClipboard(edits, canEdit);
  const room = useRef<HTMLDivElement>(null);
  const board = useRef<HTMLDivElement>(null);
  const zoom = useCanvasZoom(room, board, FORMAT_SIZES[format].width, !isGrid);
  const { page, selected, selection } = edits;
  return (
    <Page
      before={back}
      title={content.filename}
      actions={
        canEdit && (
          <>
            <UndoButtons draft={draft} />
            <SaveButtons draft={draft} isPending={save.isPending} onSave={() => save.mutate()} />
          </>
        )
      }
    >
      {canEdit && <KeptChanges place={`designs/${content.id}`} draft={draft} />}
      <ConflictNotice draft={draft} words="draft" />
      <ManagedMark kind="content" id={content.id} isLink />
      <Hindered why={why} />
      <div className="canvas-editor designer">
        <div className="canvas-column">
          <div className="canvas-bar">
            {canEdit && <AddElement onAdd={edits.add} />}
            <Segments
              label={t('designer.format')}
              value={isGrid ? 'all' : format}
              onChange={(value) => {
                setGrid(value === 'all');
                if (value !== 'all') setFormat(value);
              }}
              options={[
                ...PAGE_FORMATS.map((value) => ({ value, label: t(`designer.formats.${value}`) })),
                { value: 'all' as const, label: t('designer.allFormats') },
              ]}
            />
            {!isGrid && <ZoomButtons zoom={zoom} />}
          </div>
          {isGrid ? (
            <FormatGrid
              design={draft.value}
              page={edits.at}
              onOpen={(chosen) => {
                setFormat(chosen);
                setGrid(false);
              }}
            />
          ) : (
            <DesignCanvas
              {...{ edits, design: draft.value, format, zoom, room, board, canEdit }}
              onSettle={draft.settle}
            />
          )}
          <PageStrip edits={edits} design={draft.value} canEdit={canEdit} />
        </div>
        <aside className="canvas-side" aria-label={t('designer.properties')}>
          {selected ? (
            <ElementPanel key={selected.id} element={selected} edits={edits} format={format} canEdit={canEdit} />
          ) : selection.size > 1 ? (
            <SelectionPanel edits={edits} canEdit={canEdit} />
          ) : (
            <PagePanel edits={edits} design={draft.value} canEdit={canEdit} />
          )}
          <LayerList page={page} edits={edits} format={format} />
        </aside>
      </div>
      <LeaveGuard when={draft.dirty} />
    </Page>
  );
}
