import { type CSSProperties, memo, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { StorePlace } from '../../../../shared/contract/headquarters/stores.ts';
import { useOneStop } from '../../../components/keyboard/useOneStop.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { StateGlyph } from '../StateGlyph.tsx';
import { type Cluster, inWindow, isNear, namedOf, type Size, type View, wayIntoView } from './map.utils.ts';

/** Pixels of movement after which all marks get new positions. Until then, all marks move together. */
const STRIDE = 200;

type MarksProps = {
  stores: readonly StorePlace[];
  clusters: readonly Cluster[];
  size: Size;
  /** Id of the first store in the open card. */
  open: string | undefined;
  onChoose: (cluster: Cluster) => void;
};

/** Marks of stores and clusters. Marks with the worst state come last, so that they are on top. */
export function MapMarks({
  view,
  onReach,
  ...rest
}: MarksProps & {
  view: View;
  /** Moves the map so that the focused mark is visible. */
  onReach: (dx: number, dy: number) => void;
}) {
  const { t } = useTranslation();
  const keys = useOneStop<HTMLDivElement>('rows');
  const { stores, clusters, size, onChoose } = rest;
  useFocusOfStore(keys.ref, stores, clusters);
  const stride = STRIDE / view.scale;
  const [x, y] = [Math.round(view.x / stride) * stride, Math.round(view.y / stride) * stride];
  const off = inWindow(view, { x, y });
  // The callback changes with each movement of the map. A ref keeps the marks from being rendered again.
  const choose = useRef(onChoose);
  choose.current = onChoose;
  const chosen = useRef((cluster: Cluster) => choose.current(cluster));
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    <div
      {...keys}
      role="group"
      aria-label={t('stores.map.marks')}
      className="map-marks"
      style={{ transform: `translate(${off.x + size.width / 2}px, ${off.y + size.height / 2}px)` }}
      onFocus={({ target }) => {
        const cluster = clusters.find(({ key }) => key === target.dataset['store']);
        // Only for the keyboard focus: under a pointer, the mark would move away before the pointer is released.
        if (!cluster || !target.matches(':focus-visible')) return;
        const way = wayIntoView(inWindow(view, cluster), size);
        if (way.x !== 0 || way.y !== 0) onReach(way.x, way.y);
      }}
    >
      <Marks {...rest} x={x} y={y} scale={view.scale} onChoose={chosen.current} />
    </div>
  );
}

const Marks = memo(function Marks({
  stores,
  clusters,
  size,
  open,
  x,
  y,
  scale,
  onChoose,
}: MarksProps & { x: number; y: number; scale: number }) {
  const marks = clusters
    .map((cluster) => ({ cluster, at: inWindow({ x, y, scale }, cluster) }))
    .filter(({ at }) => isNear(at, size));
  const named = namedOf(
    marks.map(({ cluster: { key, members }, at }) => ({
      ...at,
      key,
      name: members.length === 1 ? stores[members[0]!]!.name : undefined,
    })),
  );
  return marks.map(({ cluster, at }) => (
    <div
      key={cluster.key}
      className={`map-spot ${cluster.state}`}
      style={{ transform: `translate(${at.x}px, ${at.y}px)` }}
    >
      <Mark
        cluster={cluster}
        store={stores[cluster.members[0]!]!}
        isNamed={named.has(cluster.key)}
        isOpen={cluster.members.some((member) => stores[member]!.id === open)}
        onChoose={onChoose}
      />
    </div>
  ));
});

type MarkProps = {
  cluster: Cluster;
  /** The first store of the cluster. */
  store: StorePlace;
  isNamed: boolean;
  isOpen: boolean;
  onChoose: (cluster: Cluster) => void;
};

/** A mark on the map. Memoized: its props do not depend on the position of the map. */
const Mark = memo(function Mark({ cluster, store, isNamed, isOpen, onChoose }: MarkProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { members, state, troubled } = cluster;
  const isOne = members.length === 1;
  const how = store.trouble === null ? t(`stores.lines.${store.line}`) : t(`stores.troubles.${store.trouble}`);
  const count = t('stores.map.cluster', { count: members.length });
  const label = isOne
    ? t('stores.map.store', { name: store.name, state: how })
    : troubled > 0
      ? t('stores.map.clusterNeeds', { stores: count, count: troubled })
      : t('stores.map.store', { name: count, state: t(`stores.map.states.${state}`) });
  return (
    <button
      type="button"
      className={isOne ? `map-mark one ${state}` : `map-mark several ${state}`}
      data-store={cluster.key}
      aria-label={label}
      aria-expanded={isOpen}
      title={label}
      style={{ '--share': `${(troubled / members.length) * 100}%` } as CSSProperties}
      onClick={() => onChoose(cluster)}
    >
      <StateGlyph state={state} />
      {!isOne && <span>{format.number(members.length)}</span>}
      {isNamed && (
        <span className="map-name" aria-hidden>
          {store.name}
        </span>
      )}
    </button>
  );
});

/** Keeps the focus on a store when zooming replaces its mark by another mark. */
const useFocusOfStore = (
  box: RefObject<HTMLElement | null>,
  stores: readonly StorePlace[],
  clusters: readonly Cluster[],
): void => {
  const held = useRef<string>(undefined);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const hold = ({ target }: FocusEvent) => {
      held.current = (target as HTMLElement).dataset['store'];
    };
    // Without a related target, the mark was removed from the document, so its store is remembered.
    const letGo = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) held.current = undefined;
    };
    element.addEventListener('focusin', hold);
    element.addEventListener('focusout', letGo);
    return () => {
      element.removeEventListener('focusin', hold);
      element.removeEventListener('focusout', letGo);
    };
  }, [box]);
  useEffect(() => {
    const id = held.current;
    if (id === undefined || document.activeElement !== document.body) return;
    const cluster = clusters.find(({ members }) => members.some((member) => stores[member]!.id === id));
    const mark = cluster && box.current?.querySelector<HTMLElement>(`[data-store="${CSS.escape(cluster.key)}"]`);
    mark?.focus({ preventScroll: true });
  }, [box, stores, clusters]);
};
