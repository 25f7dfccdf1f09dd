import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StorePlace } from '../../../../shared/contract/headquarters/stores.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { usePhone } from '../../../components/hooks/useMedia.ts';
import { MapCard } from './MapCard.tsx';
import { MapGrid } from './MapGrid.tsx';
import { MapMarks } from './MapMarks.tsx';
import { MapRuler } from './MapRuler.tsx';
import {
  type Cluster,
  cardPlaceOf,
  clustersOf,
  inWindow,
  isPile,
  onPlane,
  planeOf,
  stepOf,
  viewOf,
} from './map.utils.ts';
import { useMapView } from './useMapView.ts';

/** Zoom factor of the buttons and keys. */
const ZOOM = 1.8;
/** Pixels by which Shift with an arrow key moves the map. */
const PAN = 120;
const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [PAN, 0],
  ArrowRight: [-PAN, 0],
  ArrowUp: [0, PAN],
  ArrowDown: [0, -PAN],
};

/** Map of the stores on a plain grid of degrees, since map images would need the internet. */
export function MapPane({ stores }: { stores: readonly StorePlace[] }) {
  const { t } = useTranslation();
  const plane = useMemo(() => planeOf(stores), [stores]);
  const points = useMemo(() => stores.map((store) => onPlane(plane, store)), [stores, plane]);
  const { surface, size, view, isAll, events, zoom, pan, fly, showAll } = useMapView(points);
  const isPhone = usePhone();
  const step = stepOf(view.scale);
  const clusters = useMemo(() => clustersOf(stores, points, step), [stores, points, step]);
  const [openIds, setOpen] = useState<readonly string[]>([]);
  const open = stores.filter(({ id }) => openIds.includes(id));
  const [first] = open;
  const choose = (cluster: Cluster) => {
    const there = cluster.members.map((member) => points[member]!);
    if (cluster.members.length === 1 || isPile(there)) {
      setOpen(cluster.members.map((member) => stores[member]!.id));
      // On a phone, the card covers the lower half of the map, so the mark must be above it.
      if (isPhone) pan(0, Math.min(0, -inWindow(view, cluster).y - size.height / 4));
      return;
    }
    setOpen([]);
    fly(viewOf(there, size, Math.min(120, size.width / 4, size.height / 4)));
  };
  const close = () => {
    setOpen([]);
    surface.current?.querySelector<HTMLElement>('.map-mark[aria-expanded=true]')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const way = event.shiftKey && ways[event.key];
    if (event.key === '+' || event.key === '=') zoom(ZOOM);
    else if (event.key === '-' || event.key === '_') zoom(1 / ZOOM);
    else if (event.key === '0') showAll();
    else if (event.key === 'Escape' && open.length > 0) close();
    else if (way) pan(...way);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="map" aria-label={t('stores.map.label')} onKeyDown={onKeyDown}>
      <div className="map-surface" ref={surface} {...events}>
        {size.width > 0 && (
          <>
            <MapGrid plane={plane} view={view} size={size} />
            <MapMarks
              stores={stores}
              clusters={clusters}
              view={view}
              size={size}
              open={first?.id}
              onChoose={choose}
              onReach={pan}
            />
          </>
        )}
      </div>
      <div className="map-tools">
        <IconButton icon={Plus} variant="secondary" label={t('stores.map.zoomIn')} onPress={() => zoom(ZOOM)} />
        <IconButton icon={Minus} variant="secondary" label={t('stores.map.zoomOut')} onPress={() => zoom(1 / ZOOM)} />
        <IconButton
          icon={Maximize}
          variant="secondary"
          label={t('stores.map.all')}
          isDisabled={isAll}
          onPress={showAll}
        />
      </div>
      <MapRuler view={view} />
      {first && (
        <MapCard key={first.id} stores={open} at={cardPlaceOf(view, size, onPlane(plane, first))} onClose={close} />
      )}
    </section>
  );
}
