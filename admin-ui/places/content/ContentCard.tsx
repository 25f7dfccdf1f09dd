import { Ellipsis, Eye, Trash2 } from 'lucide-react';
import { memo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { IconButton } from '../../components/Button.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import { Bone } from '../../components/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { ContentThumb } from '../../parts/ContentThumb.tsx';

type ContentCardProps = { content: Content; canWrite: boolean; onOpen: (id: string) => void; onDelete: (content: Content) => void };

export const ContentCard = memo(function ContentCard({ content, canWrite, onOpen, onDelete }: ContentCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { filename: name, kind, width, height } = content;
  const size = width && height ? `${width} × ${height}` : t(`content.kindOf.${kind}`);
  return (
    <article className="content-card">
      <AriaButton className="content-open" aria-label={t('content.open', { name })} onPress={() => onOpen(content.id)}>
        <ContentThumb content={content} />
      </AriaButton>
      <div className="content-text">
        <div>
          <h3 className="truncate" title={name}>
            {name}
          </h3>
          <p className="truncate">{content.file_size > 0 ? `${size} · ${format.bytes(content.file_size)}` : size}</p>
        </div>
        <Menu label={t('common.moreFor', { name })} trigger={<IconButton icon={Ellipsis} size="small" label={t('common.moreFor', { name })} />}>
          <MenuItem icon={Eye} onAction={() => onOpen(content.id)}>
            {t('content.openShort')}
          </MenuItem>
          {canWrite ? (
            <MenuItem icon={Trash2} danger onAction={() => onDelete(content)}>
              {t('common.delete')}
            </MenuItem>
          ) : null}
        </Menu>
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
