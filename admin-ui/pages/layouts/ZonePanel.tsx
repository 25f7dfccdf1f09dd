import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Copy, SquareSplitHorizontal, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../../../shared/contract/content/layouts.ts';
import { inside, type Rect, rounded, SMALLEST } from '../../components/canvas/canvas.utils.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { AmountField } from '../../components/fields/AmountField.tsx';
import { ColorField } from '../../components/fields/ColorField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { rectOf, withRect, ZONE_TYPES } from './layout.utils.ts';

type Unit = 'percent' | 'pixels';

type ZonePanelProps = {
  zone: Zone;
  size: { readonly width: number; readonly height: number };
  onChange: (change: (zone: Zone) => Zone, kind: string) => void;
  onRaise: (by: 1 | -1) => void;
  /** Name of the content that the zone shows permanently; null if there is none. */
  shows: string | null;
  onEmpty: () => void;
  onDivide: () => void;
  onDuplicate: () => void;
  onRemove: () => void;
  canEdit: boolean;
};

const FITS = ['cover', 'contain', 'fill'] as const;

/** Panel with the exact position and all other settings of one zone. */
export function ZonePanel({
  zone,
  size,
  onChange,
  onRaise,
  shows,
  onEmpty,
  onDivide,
  onDuplicate,
  onRemove,
  canEdit,
}: ZonePanelProps) {
  const { t } = useTranslation();
  const [unit, setUnit] = useState<Unit>('percent');
  const rect = rectOf(zone);
  const number = (key: keyof Rect) => {
    const whole = key === 'x' || key === 'width' ? size.width : size.height;
    const one = unit === 'percent' ? 1 : whole / 100;
    return (
      <AmountField
        label={t(`layout.rect.${key}`)}
        value={unit === 'percent' ? rounded(rect[key]) : Math.round(rect[key] * one)}
        digits={unit === 'percent' ? 2 : 0}
        min={key === 'x' || key === 'y' ? 0 : unit === 'percent' ? SMALLEST : Math.ceil(SMALLEST * one)}
        max={unit === 'percent' ? 100 : whole}
        unit={unit === 'percent' ? '%' : 'px'}
        isDisabled={!canEdit}
        // Values in pixels are stored as percentages, with the precision of a pixel.
        onChange={(value) =>
          onChange((z) => withRect(z, inside({ ...rectOf(z), [key]: value / one })), `number ${zone.id} ${key}`)
        }
      />
    );
  };
  // Zone types that other API clients have set stay selectable.
  const types = [...new Set<string>([...ZONE_TYPES, zone.zone_type])];
  return (
    <div className="form zone-panel">
      <TextField
        label={t('layout.zoneName')}
        value={zone.name}
        onChange={(name) => onChange((z) => ({ ...z, name }), `name ${zone.id}`)}
        maxLength={200}
        isDisabled={!canEdit}
      />
      <div className="zone-shows">
        <h3>{t('layout.shows')}</h3>
        {shows === null ? (
          <p className="field-hint">{t('layout.showsNothing')}</p>
        ) : (
          <p>
            <ShownLink zone={zone} name={shows} />
            {canEdit && <IconButton icon={X} size="small" label={t('layout.empty')} onPress={onEmpty} />}
          </p>
        )}
      </div>
      <Segments
        label={t('layout.unit')}
        value={unit}
        onChange={setUnit}
        options={(['percent', 'pixels'] as const).map((value) => ({ value, label: t(`layout.unitOf.${value}`) }))}
      />
      <div className="rect-fields">
        {number('x')}
        {number('y')}
        {number('width')}
        {number('height')}
      </div>
      <Select
        label={t('layout.type')}
        value={zone.zone_type}
        isDisabled={!canEdit}
        onChange={(zone_type) => onChange((z) => ({ ...z, zone_type }), `type ${zone.id}`)}
        options={types.map((value) => {
          const known = ZONE_TYPES.find((type) => type === value);
          return { value, label: known ? t(`layout.typeOf.${known}`) : value };
        })}
      />
      <Select
        label={t('layout.fit')}
        value={zone.fit_mode}
        isDisabled={!canEdit}
        onChange={(fit_mode) => onChange((z) => ({ ...z, fit_mode }), `fit ${zone.id}`)}
        options={FITS.map((value) => ({
          value,
          label: t(`layout.fitOf.${value}`),
          hint: t(`layout.fitHint.${value}`),
        }))}
      />
      <ColorField
        label={t('layout.background')}
        value={zone.background_color}
        fallback="#000000"
        isDisabled={!canEdit}
        onChange={(colour) =>
          /^(#[0-9a-f]{6}([0-9a-f]{2})?)?$/i.test(colour) &&
          onChange((z) => ({ ...z, background_color: colour || '#000000' }), `colour ${zone.id}`)
        }
      />
      {canEdit && (
        <div className="zone-actions">
          <IconButton icon={ArrowUp} label={t('layout.forward')} onPress={() => onRaise(1)} />
          <IconButton icon={ArrowDown} label={t('layout.backward')} onPress={() => onRaise(-1)} />
          <IconButton icon={SquareSplitHorizontal} label={t('layout.divide')} onPress={onDivide} />
          <IconButton icon={Copy} label={t('layout.duplicateZone')} onPress={onDuplicate} />
          <Button icon={Trash2} variant="danger-quiet" onPress={onRemove}>
            {t('layout.removeZone')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Link to the page where the zone's content is edited. */
function ShownLink({ zone, name }: { zone: Zone; name: string }) {
  if (zone.widget_id)
    return (
      <Link to="/widgets/$widgetId" params={{ widgetId: zone.widget_id }}>
        {name}
      </Link>
    );
  if (zone.playlist_id)
    return (
      <Link to="/playlists/$playlistId" params={{ playlistId: zone.playlist_id }}>
        {name}
      </Link>
    );
  return <span>{name}</span>;
}
