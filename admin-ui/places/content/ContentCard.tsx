import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Bone } from '../../components/Page.tsx';
import { SelectBox } from '../../components/SelectBox.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { ContentThumb } from '../../parts/ContentThumb.tsx';
import { ContentMenu } from './ContentMenu.tsx';
import { DRAGGED } from './content.utils.ts';
import type { ContentCellProps } from './contentCell.ts';

export const ContentCard = memo(function ContentCard(props: ContentCellProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { content, index, canWrite, isSelected, selecting, onToggle, onOpen, dragged } = props;
  const { filename: name, kind, width, height } = content;
  const size = width && height ? `${width} × ${height}` : t(`content.kindOf.${kind}`);
  const details = content.fetch_error
    ? t('content.notFetched')
    : content.file_size > 0
      ? `${size} · ${format.bytes(content.file_size)}`
      : size;
  return (
    <article
      className={['content-card selectable', selecting && 'selecting', isSelected && 'selected']
        .filter(Boolean)
        .join(' ')}
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
        className="content-open"
        aria-label={t('content.open', { name })}
        onClick={() => onOpen(content.id)}
      >
        <ContentThumb content={content} />
      </button>
      <div className="content-text">
        <div>
          <h3 className="truncate" title={name}>
            {name}
          </h3>
          <p className={content.fetch_error ? 'truncate problem' : 'truncate'}>{details}</p>
        </div>
        <ContentMenu {...props} />
      </div>
    </article>
  );
});

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
