import { Ellipsis, Eye, FolderInput, Tag, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/Button.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import type { ContentCellProps } from './contentCell.ts';

export function ContentMenu({ content, canWrite, onOpen, onAsk }: Pick<ContentCellProps, 'content' | 'canWrite' | 'onOpen' | 'onAsk'>) {
  const { t } = useTranslation();
  const name = content.filename;
  return (
    <Menu label={t('common.moreFor', { name })} trigger={<IconButton icon={Ellipsis} size="small" label={t('common.moreFor', { name })} />}>
      <MenuItem icon={Eye} onAction={() => onOpen(content.id)}>
        {t('content.openShort')}
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
    </Menu>
  );
}
