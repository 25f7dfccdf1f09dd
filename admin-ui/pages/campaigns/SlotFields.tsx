import { useQuery } from '@tanstack/react-query';
import { Plus, Store, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PlaylistItem, PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import { type CampaignSlot, MAX_SLOTS } from '../../../shared/contract/headquarters/campaigns.ts';
import { publishedItemsQuery } from '../../api/playlists.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { AmountField } from '../../components/fields/AmountField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { ItemThumb } from '../../domain/preview/ContentThumb.tsx';
import { type Fields, type Mistakes, mayHaveSlots, newSlot, type SlotMistake } from './campaigns.utils.ts';
import { Refusal } from './Refusal.tsx';

type SlotFieldsProps = Fields & { playlist: PlaylistWithItems | undefined; mistakes: Mistakes | undefined };
const NO_ITEMS: readonly PlaylistItem[] = [];

/** Section for the slots in the playlist that stores fill: their positions, and the permitted content. */
export function SlotFields({ draft, change, playlist, mistakes }: SlotFieldsProps) {
  const { t } = useTranslation();
  const { slots, playlist_id } = draft;
  const items = useQuery({ ...publishedItemsQuery(playlist_id ?? ''), enabled: playlist_id !== null }).data ?? NO_ITEMS;
  if (!mayHaveSlots(draft.rank) && slots.length === 0) return <p className="note">{t('campaign.slotsNot')}</p>;
  if (playlist_id === null && slots.length === 0) return <p className="note">{t('campaign.slotsNeed')}</p>;
  const set = (at: number, part: Partial<CampaignSlot>, kind?: string) =>
    change({ slots: slots.map((slot, i) => (i === at ? { ...slot, ...part } : slot)) }, kind && `${kind} ${at}`);
  return (
    <>
      {!mayHaveSlots(draft.rank) && <Refusal>{t('campaign.slotsNot')}</Refusal>}
      {playlist?.id === playlist_id && <Strip items={items} slots={slots} />}
      {slots.length === 0 && <p className="note">{t('campaign.slotsNone')}</p>}
      {slots.map((slot, i) => (
        <SlotCard
          key={slot.id ?? `new ${i}`}
          slot={slot}
          no={i + 1}
          items={items}
          mistake={mistakes?.slots[i]}
          onChange={(part, kind) => set(i, part, kind)}
          onRemove={() => change({ slots: slots.filter((_, at) => at !== i) })}
        />
      ))}
      <div>
        {slots.length < MAX_SLOTS ? (
          <Button
            icon={Plus}
            onPress={() =>
              change({ slots: [...slots, newSlot(t('campaign.slotNo', { n: slots.length + 1 }), items.length)] })
            }
          >
            {t('campaign.addSlot')}
          </Button>
        ) : (
          <p className="note">{t('campaign.slotsTooMany', { count: MAX_SLOTS })}</p>
        )}
      </div>
    </>
  );
}

type StripProps = { items: readonly PlaylistItem[]; slots: readonly CampaignSlot[] };

/** Preview of the playlist as stores receive it, with the slots in their positions. */
function Strip({ items, slots }: StripProps) {
  const { t } = useTranslation();
  if (items.length === 0) return <p className="note">{t('campaign.stripEmpty')}</p>;
  const at = (after: number) =>
    slots.flatMap((slot, i) =>
      Math.min(slot.after, items.length) === after
        ? [
            <li key={slot.id ?? `new ${i}`} className="slot-mark">
              <Store aria-hidden />
              <span>{slot.name || t('campaign.slotNo', { n: i + 1 })}</span>
            </li>,
          ]
        : [],
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="card slot-strip" tabIndex={0} aria-label={t('campaign.strip')}>
      <ol>
        {at(0)}
        {items.flatMap((item, i) => [
          <li key={item.id} className="slot-item">
            <ItemThumb item={item} cover />
            <span className="truncate">{`${i + 1}. ${nameOf(item)}`}</span>
          </li>,
          ...at(i + 1),
        ])}
      </ol>
    </section>
  );
}

const nameOf = (item: PlaylistItem): string => item.filename ?? item.widget_name ?? '–';
const KINDS = ['image', 'video', 'pdf', 'widget'] as const;
const CONTENT = ['content'] as const;
const [MOST_ITEMS, MOST_SECONDS] = [100, 86_400];

type SlotCardProps = {
  slot: CampaignSlot;
  no: number;
  items: readonly PlaylistItem[];
  mistake: SlotMistake | undefined;
  onChange: (part: Partial<CampaignSlot>, kind?: string) => void;
  onRemove: () => void;
};

function SlotCard({ slot, no, items, mistake, onChange, onRemove }: SlotCardProps) {
  const { t } = useTranslation();
  const title = t('campaign.slotNo', { n: no });
  const places = [
    { value: '0', label: t('campaign.slotAtStart') },
    ...items.map((item, i) => ({
      value: String(i + 1),
      label: t('campaign.slotAfterItem', { n: i + 1, name: nameOf(item) }),
    })),
    ...(slot.after > items.length
      ? [{ value: String(slot.after), label: t('campaign.slotAfterGone', { n: slot.after }) }]
      : []),
  ];
  const tick = (kind: (typeof KINDS)[number]) => (on: boolean) =>
    onChange({ kinds: KINDS.filter((one) => (one === kind ? on : slot.kinds.includes(one))) });
  return (
    <fieldset className="card pad form slot-card" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <IconButton icon={Trash2} label={t('campaign.removeSlot', { name: slot.name || title })} onPress={onRemove} />
      </header>
      <div className="campaign-pair">
        <TextField
          label={t('campaign.slotName')}
          hint={t('campaign.slotNameHint')}
          value={slot.name}
          onChange={(name) => onChange({ name }, 'slot name')}
          error={mistake === 'missing' ? t('campaign.slotMistake.missing') : undefined}
          maxLength={200}
        />
        <div className="field">
          <Select
            label={t('campaign.slotAfter')}
            value={String(slot.after)}
            options={places}
            onChange={(after) => onChange({ after: Number(after) })}
          />
          {mistake === 'after' && <Refusal>{t('campaign.slotMistake.after')}</Refusal>}
        </div>
      </div>
      <div className="campaign-pair">
        <AmountField
          label={t('campaign.slotItems')}
          value={slot.max_items}
          min={1}
          max={MOST_ITEMS}
          onChange={(max_items) => onChange({ max_items })}
        />
        <AmountField
          label={t('campaign.slotSeconds')}
          hint={t('campaign.slotSecondsHint')}
          value={slot.max_seconds}
          min={1}
          max={MOST_SECONDS}
          onChange={(max_seconds) => onChange({ max_seconds })}
        />
      </div>
      <fieldset className="field slot-kinds">
        <legend className="field-label">{t('campaign.slotKinds')}</legend>
        <div>
          {KINDS.map((kind) => (
            <Checkbox key={kind} isSelected={slot.kinds.includes(kind)} onChange={tick(kind)}>
              {t(`campaign.slotKind.${kind}`)}
            </Checkbox>
          ))}
        </div>
        {mistake === 'kinds' && <Refusal>{t('campaign.slotMistake.kinds')}</Refusal>}
      </fieldset>
      <SubjectPicker
        label={t('campaign.slotFallback')}
        placeholder={t('campaign.slotFallbackNone')}
        kinds={CONTENT}
        value={slot.content_id === null ? null : { kind: 'content', id: slot.content_id }}
        onChange={(picked) => onChange({ content_id: picked?.id ?? null })}
        allowsNone
      />
    </fieldset>
  );
}
