import { ZoomIn, ZoomOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Select } from '../../components/choices/Select.tsx';
import { IconButton } from '../../components/controls/Button.tsx';
import { type CanvasZoom, ZOOMS } from './useCanvasZoom.ts';

const PERCENT = 100;

/** Zoom of the canvas: fit, fixed scales, and steps. */
export function ZoomButtons({ zoom: { zoom, set, step } }: { zoom: CanvasZoom }) {
  const { t } = useTranslation();
  const percent = (scale: number) => t('designer.zoom.percent', { percent: Math.round(scale * PERCENT) });
  const scales = typeof zoom === 'number' && !ZOOMS.includes(zoom) ? [zoom, ...ZOOMS].toSorted((a, b) => a - b) : ZOOMS;
  return (
    <div className="zoom-buttons">
      <IconButton icon={ZoomOut} size="small" label={t('designer.zoom.out')} onPress={() => step(-1)} />
      <Select
        label={t('designer.zoom.title')}
        hideLabel
        value={String(zoom)}
        options={[
          { value: 'fit', label: t('designer.zoom.fit') },
          ...scales.map((scale) => ({ value: String(scale), label: percent(scale) })),
        ]}
        onChange={(value) => set(value === 'fit' ? 'fit' : Number(value))}
      />
      <IconButton icon={ZoomIn} size="small" label={t('designer.zoom.in')} onPress={() => step(1)} />
    </div>
  );
}
