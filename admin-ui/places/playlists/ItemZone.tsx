import { useTranslation } from 'react-i18next';
import type { PlaylistItem } from '../../../shared/contract/playlists.ts';
import { Select } from '../../components/Select.tsx';
import { useArranged } from './arrange.ts';

const LARGEST = '';

/** Where on the screen it is shown, while a layout is arranged for. */
export function ItemZone({ item, name, canWrite, onChange }: { item: PlaylistItem; name: string; canWrite: boolean; onChange: (zone: string | null) => void }) {
  const { t } = useTranslation();
  const { layout } = useArranged();
  if (!layout || layout.zones.length < 2) return null;
  const known = layout.zones.some((zone) => zone.id === item.zone_id);
  return (
    <span className="item-zone">
      <Select
        label={t('playlist.zoneOf', { name })}
        hideLabel
        isDisabled={!canWrite}
        value={known ? item.zone_id : LARGEST}
        onChange={(zone) => zone !== (item.zone_id ?? LARGEST) && onChange(zone || null)}
        options={[{ value: LARGEST, label: t('playlist.zoneLargest') }, ...layout.zones.map((zone) => ({ value: zone.id, label: zone.name }))]}
      />
    </span>
  );
}
