import { useTranslation } from 'react-i18next';
import { Select } from '../../components/Select.tsx';
import { useArranged } from './arrange.ts';

const WHOLE = '';

/** For which layout the items are put into zones. It changes no screen: those have their own layout. */
export function ZoneLayoutChoice() {
  const { t } = useTranslation();
  const { layout, layouts, chooseLayout } = useArranged();
  const divided = layouts.filter((l) => l.zones.length > 1);
  if (divided.length === 0) return null;
  return (
    <span className="zone-layout">
      <Select
        label={t('playlist.arrangeFor')}
        hideLabel
        value={layout && divided.includes(layout) ? layout.id : WHOLE}
        onChange={(id) => chooseLayout(id || null)}
        options={[
          { value: WHOLE, label: t('playlist.wholeScreen') },
          ...divided.map((l) => ({ value: l.id, label: l.name, hint: t('playlist.zones', { count: l.zones.length }) })),
        ]}
      />
    </span>
  );
}
