import type { TFunction } from 'i18next';
import { ArrowUpDown, Blend, Minus, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/controls/Dialog.tsx';
import { Notice } from '../../../components/frame/Page.tsx';
import { ItemThumb } from '../../../domain/preview/ContentThumb.tsx';
import { blocksInWords } from '../../../domain/time/blocks.utils.ts';
import { boundsInWords } from '../../../domain/time/validity.utils.ts';
import { useFormat, useLocaleTag } from '../../../i18n/useFormat.ts';
import { useArranged } from '../arrange.ts';
import { nameOf } from '../ItemRow.tsx';
import { transitionInWords } from '../Transitions.tsx';
import { type Change, countChanges, type TransitionChange } from './compare.utils.ts';

const icons = { added: Plus, removed: Minus, moved: ArrowUpDown, changed: Pencil } as const;

/** Returns a function that describes all changes in one line: "2 added, 1 taken out". */
export const useChangesInWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return (changes: readonly Change[], transition: TransitionChange | null): string => {
    const counts = countChanges(changes);
    const parts = (['added', 'removed', 'moved', 'changed'] as const)
      .filter((kind) => counts[kind] > 0)
      .map((kind) => t(`playlist.change.${kind}`, { count: counts[kind] }));
    return format.list(transition ? [...parts, t('playlist.change.transition')] : parts);
  };
};

/** Notice above the list about unpublished changes. */
export function ChangesNotice({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation();
  const inWords = useChangesInWords();
  const { transition } = useArranged();
  const [open, setOpen] = useState(false);
  if (changes.length === 0 && !transition) return null;
  return (
    <>
      <Notice
        tone="info"
        title={t('playlist.notPublished', { changes: inWords(changes, transition) })}
        actions={
          <Button size="small" onPress={() => setOpen(true)}>
            {t('playlist.compare')}
          </Button>
        }
      />
      {open && (
        <Dialog
          title={t('playlist.compareTitle')}
          size="wide"
          onClose={() => setOpen(false)}
          actions={<Button onPress={() => setOpen(false)}>{t('common.close')}</Button>}
        >
          <ChangesList changes={changes} transition={transition} />
        </Dialog>
      )}
    </>
  );
}

type ChangesListProps = { changes: readonly Change[]; transition: TransitionChange | null };

export function ChangesList({ changes, transition }: ChangesListProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const { layouts } = useArranged();
  const zoneName = (id: string | null) =>
    layouts.flatMap((l) => l.zones).find((zone) => zone.id === id)?.name ?? t('playlist.zoneLargest');
  return (
    <ul className="changes">
      {transition && (
        <li className="changed">
          <Blend aria-hidden />
          <span />
          <p>
            <strong>{t('transitions.title')}</strong>
            <small>{transitionChanged(transition, { t, locale })}</small>
          </p>
        </li>
      )}
      {changes.map((change) => {
        const Icon = icons[change.kind];
        return (
          <li key={`${change.kind} ${change.item.id}`} className={change.kind}>
            <Icon aria-hidden />
            <ItemThumb item={change.item} small cover />
            <p>
              <strong>{nameOf(change.item, t)}</strong>
              <small>{details(change, { t, locale, zoneName })}</small>
            </p>
          </li>
        );
      })}
    </ul>
  );
}

const transitionChanged = ({ before, after }: TransitionChange, words: { t: TFunction; locale: string }): string =>
  words.t('playlist.changedTransition', {
    before: transitionInWords(before, words),
    after: transitionInWords(after, words),
  });

const details = (
  change: Change,
  { t, locale, zoneName }: { t: TFunction; locale: string; zoneName: (id: string | null) => string },
): string => {
  const { item } = change;
  if (change.kind !== 'changed') return t(`playlist.mark.${change.kind}`);
  const { before, what } = change;
  const when = (of: typeof item) =>
    [blocksInWords(of.schedules, { t, locale }), boundsInWords(of, { t, locale })].filter(Boolean).join(', ') ||
    t('playlist.alwaysShown');
  const begins = (own: typeof item.transition) =>
    own ? transitionInWords(own, { t, locale }) : t('transitions.asPlaylist');
  const said = {
    duration: () => t('playlist.changedDuration', { before: before.duration_sec, after: item.duration_sec }),
    zone: () => t('playlist.changedZone', { before: zoneName(before.zone_id), after: zoneName(item.zone_id) }),
    transition: () =>
      t('playlist.changedTransition', { before: begins(before.transition), after: begins(item.transition) }),
    times: () => t('playlist.changedTimes', { before: when(before), after: when(item) }),
  };
  return what.map((one) => said[one]()).join(' · ');
};
