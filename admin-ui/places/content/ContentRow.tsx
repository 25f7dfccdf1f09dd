import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Bone } from '../../components/Page.tsx';
import { SelectBox } from '../../components/SelectBox.tsx';
import { formatClock } from '../../i18n/format.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ContentThumb } from '../../parts/ContentThumb.tsx';
import { ContentMenu } from './ContentMenu.tsx';
import { DRAGGED } from './content.utils.ts';
import type { ContentCellProps } from './contentCell.ts';

/** One line of the list: what a picture does not tell. */
export const ContentRow = memo(function ContentRow(props: ContentCellProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { content, index, canWrite, isSelected, onToggle, onOpen, dragged } = props;
  const { filename: name, kind, width, height, duration_sec } = content;
  return (
    <article
      className={isSelected ? 'content-row selected' : 'content-row'}
      draggable={canWrite}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, JSON.stringify(dragged(content)));
        event.dataTransfer.effectAllowed = 'move';
      }}
    >
      {canWrite && (
        <SelectBox
          label={t('selection.choose', { name })}
          isSelected={isSelected}
          onToggle={(how) => onToggle(index, how)}
        />
      )}
      <button
        type="button"
        className="content-row-open"
        aria-label={t('content.open', { name })}
        onClick={() => onOpen(content.id)}
      >
        <ContentThumb content={{ ...content, duration_sec: null }} small cover />
        <span className="content-row-name">
          <span className="truncate">{name}</span>
          <small className={content.fetch_error ? 'truncate problem' : 'truncate'}>
            {content.fetch_error
              ? t('content.notFetched')
              : [t(`content.kindOf.${kind}`), content.folder].filter(Boolean).join(' · ')}
          </small>
        </span>
      </button>
      <span className="content-fact">
        {duration_sec === null ? (width && height ? `${width} × ${height}` : '') : formatClock(duration_sec)}
      </span>
      <span className="content-fact number">{content.file_size > 0 ? format.bytes(content.file_size) : ''}</span>
      <span className="content-fact wide">{format.date(content.created_at)}</span>
      <ContentMenu {...props} />
    </article>
  );
});

export function ContentRowSkeleton() {
  return (
    <article className="content-row loading" aria-hidden>
      <Bone height="2.5rem" />
    </article>
  );
}
