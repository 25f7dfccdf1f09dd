import { useTranslation } from 'react-i18next';
import type { PlaylistItem } from '../../../shared/contract/playlists.ts';
import { BlocksDialog } from '../../parts/BlocksDialog.tsx';
import type { Block } from '../../parts/blocks.utils.ts';

type DayPartsProps = { item: PlaylistItem; name: string; onSave: (blocks: Block[]) => void; onClose: () => void };

/** When an item plays. Nothing said means always. */
export function DayParts({ item, name, onSave, onClose }: DayPartsProps) {
  const { t } = useTranslation();
  const save = (blocks: Block[]) => {
    onSave(blocks);
    onClose();
  };
  return (
    <BlocksDialog
      title={t('dayparts.title', { name })}
      lead={t('dayparts.lead')}
      always={t('dayparts.always')}
      limit={t('dayparts.limit')}
      keep={t('dayparts.keep')}
      blocks={item.schedules}
      onSave={save}
      onClose={onClose}
    />
  );
}
