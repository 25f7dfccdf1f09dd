import { Eye, FolderInput, Tag, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MenuItem, RowMenu } from '../../components/Menu.tsx';
import type { ContentCellProps } from './contentCell.ts';

export function ContentMenu({
  content,
  canWrite,
  onOpen,
  onAsk,
}: Pick<ContentCellProps, 'content' | 'canWrite' | 'onOpen' | 'onAsk'>) {
  const { t } = useTranslation();
  return (
    <RowMenu
      label={t('common.moreFor', { name: content.filename })}
      items={() => (
        <>
          <MenuItem icon={Eye} onAction={() => onOpen(content.id)}>
            {t('common.open')}
          </MenuItem>
          {canWrite ? (
            <MenuItem icon={FolderInput} onAction={() => onAsk('move', content)}>
              {t('content.moveTo')}
            </MenuItem>
          ) : null}
          {canWrite ? (
            <MenuItem icon={Tag} onAction={() => onAsk('label', content)}>
              {t('content.labelSet')}
            </MenuItem>
          ) : null}
          {canWrite ? (
            <MenuItem icon={Trash2} danger onAction={() => onAsk('delete', content)}>
              {t('common.delete')}
            </MenuItem>
          ) : null}
        </>
      )}
    />
  );
}
