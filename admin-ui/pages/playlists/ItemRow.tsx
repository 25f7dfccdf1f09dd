import { useSortable } from '@dnd-kit/sortable';
import type { TFunction } from 'i18next';
import {
  ArrowDown,
  ArrowUp,
  Blend,
  CalendarClock,
  Ellipsis,
  GripVertical,
  RotateCcw,
  Trash2,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { memo, useState } from 'react';
import { NumberField } from 'react-aria-components/NumberField';
import { useTranslation } from 'react-i18next';
import type { PlaylistItem } from '../../../shared/contract/content/playlists.ts';
import type { Valid } from '../../../shared/contract/content/validity.ts';
import type { WidgetType } from '../../../shared/contract/content/widget-types.ts';
import { kindOfMime } from '../../api/files/content.ts';
import { useCanShow } from '../../api/session/me.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { announce } from '../../components/controls/announce.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { NumberBox } from '../../components/fields/NumberField.tsx';
import { Badge } from '../../components/frame/Page.tsx';
import { PlaybackBadge } from '../../domain/content/PlaybackProblems.tsx';
import { ItemThumb } from '../../domain/preview/ContentThumb.tsx';
import { TermHelp } from '../../domain/records/TermHelp.tsx';
import { BlocksDialog } from '../../domain/time/BlocksDialog.tsx';
import { type Block, blocksInWords } from '../../domain/time/blocks.utils.ts';
import { Standing } from '../../domain/time/Standing.tsx';
import { ValidityFields } from '../../domain/time/ValidityFields.tsx';
import { bothValid, boundsInWords, endsBeforeItBegins, neverMeet } from '../../domain/time/validity.utils.ts';
import { formatClock } from '../../i18n/format.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { useArranged } from './arrange.ts';
import { PlaceInList } from './FilledPlaces.tsx';
import { canSound } from './playlist.utils.ts';
import { TransitionDialog, transitionInWords } from './Transitions.tsx';
import type { PlaylistActions } from './usePlaylistData.ts';

export const nameOf = (item: PlaylistItem, t: TFunction): string =>
  item.filename ?? item.widget_name ?? t(item.slot_id === null ? 'playlist.missing' : 'held.placeEmpty');

/** Row of an item without its controls. It also follows the pointer while an item is dragged. */
export function ItemRowBody({ item }: { item: PlaylistItem }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const shown = { valid_from: item.shown_from, valid_until: item.shown_until };
  const valid = bothValid(item, shown);
  const bounds = boundsInWords(valid, { t, locale });
  const when = [blocksInWords(item.schedules, { t, locale }), bounds].filter(Boolean).join(', ');
  const begins = item.transition && transitionInWords(item.transition, { t, locale });
  const isEmptyPlace = item.slot_id !== null && item.content_id === null && item.widget_id === null;
  const kind = item.widget_id
    ? t(`widgets.type.${(item.widget_type ?? 'text') as WidgetType}`)
    : t(`content.kindOf.${kindOfMime(item.mime_type, item.remote_url)}`);
  return (
    <>
      <ItemThumb item={item} small cover />
      <div className="item-text">
        <h3 className="truncate">
          {nameOf(item, t)}
          <ItemMark id={item.id} />
          <PlaybackBadge playlistId={item.playlist_id} contentId={item.content_id} />
        </h3>
        <p className="truncate">
          {[
            isEmptyPlace ? '' : kind,
            item.slot_id !== null && !isEmptyPlace && t('held.whileEmpty'),
            item.muted && t('playlist.muted'),
            begins,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {when && (
          <p className="item-when">
            {when}{' '}
            {neverMeet(item, shown) ? <Badge tone="bad">{t('playlist.neverShown')}</Badge> : <Standing valid={valid} />}
          </p>
        )}
      </div>
    </>
  );
}

type ItemRowProps = {
  item: PlaylistItem;
  index: number;
  total: number;
  id: number;
  canWrite: boolean;
  actions: PlaylistActions;
};

export const ItemRow = memo(function ItemRow({ item, index, total, id, canWrite, actions }: ItemRowProps) {
  const { t } = useTranslation();
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const name = nameOf(item, t);
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? 'item-row dragging' : 'item-row'}
      style={{ transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined, transition }}
    >
      <button
        type="button"
        className="item-handle"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        disabled={!canWrite}
        aria-label={`${t('playlist.dragHandle', { name })}, ${t('playlist.position', { n: index + 1, total })}`}
      >
        <GripVertical aria-hidden />
        <span>{index + 1}</span>
      </button>
      <ItemRowRest item={item} index={index} total={total} canWrite={canWrite} actions={actions} />
    </li>
  );
});

/**
 * The part of a row that does not change during a drag. Memoized, since each movement renders every row again, and
 * rendering forty number fields takes longer than a frame.
 */
const ItemRowRest = memo(function ItemRowRest({ item, index, total, canWrite, actions }: Omit<ItemRowProps, 'id'>) {
  const { t } = useTranslation();
  const [timing, setTiming] = useState(false);
  const [beginning, setBeginning] = useState(false);
  const name = nameOf(item, t);
  const moveTo = (to: number) => {
    void actions.move(item, to);
    announce(t('playlist.moved', { name, n: to + 1, total }));
  };
  const whole = item.content_duration === null ? null : Math.max(1, Math.ceil(item.content_duration));
  return (
    <>
      <ItemRowBody item={item} />
      <ItemZone item={item} name={name} canWrite={canWrite} onChange={(zone) => void actions.setZone(item, zone)} />
      <DurationField
        label={t('playlist.duration', { name })}
        value={item.duration_sec}
        isDisabled={!canWrite}
        onChange={(seconds) => void actions.setDuration(item, seconds)}
      />
      <span className="item-actions">
        {canSound(item) && <Mute item={item} name={name} canWrite={canWrite} actions={actions} />}
        {canWrite && (
          <IconButton
            icon={CalendarClock}
            size="small"
            label={t('dayparts.title', { name })}
            onPress={() => setTiming(true)}
          />
        )}
        {canWrite && (
          <Menu
            label={t('common.moreFor', { name })}
            trigger={<IconButton icon={Ellipsis} size="small" label={t('common.moreFor', { name })} />}
          >
            {whole !== null && whole !== item.duration_sec ? (
              <MenuItem icon={RotateCcw} onAction={() => void actions.setDuration(item, whole)}>
                {t('playlist.fullLength', { length: formatClock(whole) })}
              </MenuItem>
            ) : null}
            <MenuItem icon={Blend} onAction={() => setBeginning(true)}>
              {t('transitions.edit')}
            </MenuItem>
            <MenuItem icon={ArrowUp} isDisabled={index === 0} onAction={() => moveTo(index - 1)}>
              {t('playlist.moveUp')}
            </MenuItem>
            <MenuItem icon={ArrowDown} isDisabled={index === total - 1} onAction={() => moveTo(index + 1)}>
              {t('playlist.moveDown')}
            </MenuItem>
            <MenuItem icon={Trash2} danger onAction={() => void actions.remove(item, name)}>
              {t('common.remove')}
            </MenuItem>
          </Menu>
        )}
      </span>
      {beginning && (
        <ItemTransition
          item={item}
          name={name}
          onSave={(transition) => void actions.setTransition(item, transition)}
          onClose={() => setBeginning(false)}
        />
      )}
      {item.slot_id !== null && (
        <div className="item-place">
          <PlaceInList slotId={item.slot_id} />
        </div>
      )}
      {timing && (
        <DayParts
          item={item}
          name={name}
          onSave={(blocks, valid) => {
            if (JSON.stringify(blocks) !== JSON.stringify(item.schedules)) void actions.setSchedules(item, blocks);
            if (valid.valid_from !== item.valid_from || valid.valid_until !== item.valid_until)
              void actions.setValid(item, valid);
          }}
          onClose={() => setTiming(false)}
        />
      )}
    </>
  );
});

/** Button that mutes an item. Muting takes effect on screens at once, so it may need approval. */
function Mute({
  item,
  name,
  canWrite,
  actions,
}: { item: PlaylistItem; name: string } & Pick<ItemRowProps, 'canWrite' | 'actions'>) {
  const { t } = useTranslation();
  const { isPublished } = useArranged();
  const canShow = useCanShow();
  const needsApproval = canWrite && !canShow && isPublished(item);
  return (
    <IconButton
      icon={item.muted ? VolumeX : Volume2}
      size="small"
      isDisabled={!canWrite || needsApproval}
      label={
        needsApproval
          ? t('approval.neededMute')
          : item.muted
            ? t('playlist.unmute', { name })
            : t('playlist.mute', { name })
      }
      onPress={() => void actions.setMuted(item, !item.muted)}
    />
  );
}

const tones = { added: 'good', removed: 'bad', moved: 'info', changed: 'info' } as const;

/** Badge for an item that differs from the published version. */
function ItemMark({ id }: { id: number }) {
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

const LARGEST = '';

/** Select for the item's zone, if a layout is chosen. */
function ItemZone({
  item,
  name,
  canWrite,
  onChange,
}: {
  item: PlaylistItem;
  name: string;
  canWrite: boolean;
  onChange: (zone: string | null) => void;
}) {
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
        options={[
          { value: LARGEST, label: t('playlist.zoneLargest') },
          ...layout.zones.map((zone) => ({ value: zone.id, label: zone.name })),
        ]}
      />
    </span>
  );
}

const YEAR = 31_536_000;

/**
 * Field for the duration in whole seconds. Arrow keys and the small buttons change it by a step; Enter or leaving
 * the field saves the typed value.
 */
function DurationField({
  label,
  value,
  onChange,
  isDisabled,
}: {
  label: string;
  value: number;
  onChange: (seconds: number) => void;
  isDisabled: boolean;
}) {
  const { t } = useTranslation();
  return (
    <NumberField
      className="item-duration"
      aria-label={label}
      value={value}
      minValue={1}
      maxValue={YEAR}
      step={1}
      isDisabled={isDisabled}
      formatOptions={{ maximumFractionDigits: 0 }}
      // If the user empties and leaves the field, it keeps its former value.
      onChange={(seconds) => Number.isFinite(seconds) && seconds !== value && onChange(seconds)}
    >
      <NumberBox unit={t('playlist.seconds')} />
    </NumberField>
  );
}

/** Dialog for the item's own transition. Without it, the playlist's transition applies. */
function ItemTransition({
  item,
  name,
  onSave,
  onClose,
}: {
  item: PlaylistItem;
  name: string;
  onSave: (transition: PlaylistItem['transition']) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { general } = useArranged();
  return (
    <TransitionDialog
      title={t('transitions.itemTitle', { name })}
      lead={t('transitions.itemLead')}
      value={item.transition}
      general={general}
      onSave={onSave}
      onClose={onClose}
    />
  );
}

type DayPartsProps = {
  item: PlaylistItem;
  name: string;
  onSave: (blocks: Block[], valid: Valid) => void;
  onClose: () => void;
};

/** Dialog for the times when an item plays. Without times, it always plays. */
function DayParts({ item, name, onSave, onClose }: DayPartsProps) {
  const { t } = useTranslation();
  const { valid_from, valid_until } = item;
  const [valid, setValid] = useState<Valid>({ valid_from, valid_until });
  const explained = (sentence: string) => (
    <>
      {sentence} <TermHelp term="dayparts" />
    </>
  );
  const save = (blocks: Block[]) => {
    onSave(blocks, valid);
    onClose();
  };
  return (
    <BlocksDialog
      title={t('dayparts.title', { name })}
      lead={explained(t('dayparts.lead'))}
      always={explained(t('dayparts.always'))}
      limit={t('dayparts.limit')}
      keep={t('dayparts.keep')}
      blocks={item.schedules}
      isWrong={endsBeforeItBegins(valid)}
      onSave={save}
      onClose={onClose}
    >
      <ValidityFields valid={valid} onChange={(change) => setValid({ ...valid, ...change })} />
    </BlocksDialog>
  );
}
