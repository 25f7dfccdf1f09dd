import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/Page.tsx';
import { useArranged } from './arrange.ts';

const tones = { added: 'good', removed: 'bad', moved: 'info', changed: 'info' } as const;

/** On an item that screens show otherwise, or not yet. */
export function ItemMark({ id }: { id: number }) {
  const { t } = useTranslation();
  const { changes } = useArranged();
  const change = changes.find((c) => c.item.id === id);
  if (!change) return null;
  return (
    <span className="item-mark">
      <Badge tone={tones[change.kind]}>{t(`playlist.mark.${change.kind}`)}</Badge>
    </span>
  );
}
