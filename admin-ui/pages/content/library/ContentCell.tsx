import type { TFunction } from 'i18next';
import { Eye, FolderInput, RefreshCw, Tag, Trash2 } from 'lucide-react';
import { type DragEvent, memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../../shared/contract/content/content.ts';
import { MenuItem, RowMenu } from '../../../components/choices/Menu.tsx';
import { SelectBox } from '../../../components/choices/SelectBox.tsx';
import { Bone } from '../../../components/frame/Page.tsx';
import { ContentThumb } from '../../../domain/preview/ContentThumb.tsx';
import { ManagedMark } from '../../../domain/saving/ManagedMark.tsx';
import { Standing } from '../../../domain/time/Standing.tsx';
import { formatClock } from '../../../i18n/format.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { DRAGGED } from '../content.utils.ts';

export type ContentCellProps = {
  content: Content;
  index: number;
  canWrite: boolean;
  isSelected: boolean;
  /** Whether any content is selected. All checkboxes are visible then. */
  selecting: boolean;
  onToggle: (index: number, how: { range: boolean }) => void;
  onOpen: (id: string) => void;
  onAsk: (what: 'move' | 'label' | 'delete' | 'replace', content: Content) => void;
  /** Called when a file was dropped onto the content. */
  onFile: (content: Content, file: File) => void;
  /** Returns the ids of all contents that are dragged together with this content. */
  dragged: (content: Content) => string[];
};

/** A content as a card in the grid of the library. */
export const ContentCard = memo(function ContentCard(props: ContentCellProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { content, isSelected, selecting, onOpen } = props;
  const { filename: name, kind, width, height } = content;
  const size = width && height ? `${width} × ${height}` : t(`content.kindOf.${kind}`);
  const details = content.fetch_error
    ? t('content.notFetched')
    : content.file_size > 0
      ? `${size} · ${format.bytes(content.file_size)}`
      : size;
  return (
    <Cell
      {...props}
      className={['content-card selectable', selecting && 'selecting', isSelected && 'selected']
        .filter(Boolean)
        .join(' ')}
    >
      <button type="button" className="content-open" aria-label={nameOf(props, t)} onClick={() => onOpen(content.id)}>
        <ContentThumb content={content} />
      </button>
      <div className="content-text">
        <div>
          <h3 className="truncate" title={name}>
            {name}
          </h3>
          <p className={content.fetch_error ? 'truncate problem' : 'truncate'}>
            {isBounded(content) && <Standing valid={content} />} {details}
          </p>
          <ManagedMark kind="content" id={content.id} />
        </div>
        <ContentMenu {...props} />
      </div>
    </Cell>
  );
});

/** A content as a row in the list of the library, with more details than a card. */
export const ContentRow = memo(function ContentRow(props: ContentCellProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { content, isSelected, onOpen } = props;
  const { filename: name, kind, width, height, duration_sec } = content;
  return (
    <Cell {...props} className={isSelected ? 'content-row selected' : 'content-row'}>
      <button
        type="button"
        className="content-row-open"
        aria-label={nameOf(props, t)}
        onClick={() => onOpen(content.id)}
      >
        <ContentThumb content={{ ...content, duration_sec: null }} small cover />
        <span className="content-row-name">
          <span className="truncate">{name}</span>
          <small className={content.fetch_error ? 'truncate problem' : 'truncate'}>
            {content.fetch_error
              ? t('content.notFetched')
              : [t(`content.kindOf.${kind}`), content.folder].filter(Boolean).join(' · ')}{' '}
            {isBounded(content) && <Standing valid={content} />}
          </small>
          <ManagedMark kind="content" id={content.id} />
        </span>
      </button>
      <span className="content-fact">
        {duration_sec === null ? (width && height ? `${width} × ${height}` : '') : formatClock(duration_sec)}
      </span>
      <span className="content-fact number">{content.file_size > 0 ? format.bytes(content.file_size) : ''}</span>
      <span className="content-fact wide">{format.date(content.created_at)}</span>
      <ContentMenu {...props} />
    </Cell>
  );
});

/** Returns the text for screen readers: name of the content, and whether it is selected. */
const nameOf = ({ content, isSelected }: Pick<ContentCellProps, 'content' | 'isSelected'>, t: TFunction): string => {
  const name = t('content.open', { name: content.filename });
  return isSelected ? `${name}, ${t('screens.column.choose')}` : name;
};

const isBounded = ({ valid_from, valid_until }: Content): boolean => valid_from !== null || valid_until !== null;

/** Common behaviour of card and row: selection, and dragging into a folder. */
function Cell({
  content,
  index,
  canWrite,
  isSelected,
  onToggle,
  onFile,
  dragged,
  className,
  children,
}: ContentCellProps & { className: string; children: ReactNode }) {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  /** Returns whether a single file is dragged, which may replace the file of the content. */
  const carriesFile = ({ dataTransfer: { items } }: DragEvent): boolean =>
    canWrite && content.remote_url === null && items.length === 1 && items[0]?.kind === 'file';
  return (
    <article
      className={over ? `${className} takes` : className}
      onDragOver={(event) => {
        if (!carriesFile(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (!carriesFile(event) || !file) return;
        event.preventDefault();
        onFile(content, file);
      }}
      draggable={canWrite}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, JSON.stringify(dragged(content)));
        event.dataTransfer.effectAllowed = 'move';
      }}
    >
      {canWrite && (
        <SelectBox
          label={t('selection.choose', { name: content.filename })}
          isSelected={isSelected}
          onToggle={(how) => onToggle(index, how)}
        />
      )}
      {children}
    </article>
  );
}

function ContentMenu({ content, canWrite, onOpen, onAsk }: ContentCellProps) {
  const { t } = useTranslation();
  return (
    <RowMenu
      label={t('common.moreFor', { name: content.filename })}
      items={() => (
        <>
          <MenuItem icon={Eye} onAction={() => onOpen(content.id)}>
            {t('common.open')}
          </MenuItem>
          {canWrite && (
            <>
              {content.file_size > 0 && content.remote_url === null && (
                <MenuItem icon={RefreshCw} onAction={() => onAsk('replace', content)}>
                  {t('content.replace')}
                </MenuItem>
              )}
              <MenuItem icon={FolderInput} onAction={() => onAsk('move', content)}>
                {t('content.moveTo')}
              </MenuItem>
              <MenuItem icon={Tag} onAction={() => onAsk('label', content)}>
                {t('content.labelSet')}
              </MenuItem>
              <MenuItem icon={Trash2} danger onAction={() => onAsk('delete', content)}>
                {t('common.delete')}
              </MenuItem>
            </>
          )}
        </>
      )}
    />
  );
}

export function ContentCardSkeleton() {
  return (
    <article className="content-card loading" aria-hidden>
      <span className="thumb">
        <Bone height="100%" />
      </span>
      <div className="content-text">
        <div>
          <Bone width="70%" />
          <Bone width="45%" height="0.8em" />
        </div>
      </div>
    </article>
  );
}

export function ContentRowSkeleton() {
  return (
    <article className="content-row loading" aria-hidden>
      <Bone height="2.5rem" />
    </article>
  );
}
