import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { storeCampaignsQuery } from '../../api/chain/managed.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { SlotFilling, useLimitsInWords } from '../../domain/chain/SlotFilling.tsx';

const useSlots = () =>
  useQuery({ ...storeCampaignsQuery, refetchInterval: false }).data?.flatMap(({ slots }) => slots) ?? [];

/** Lists the campaign slots that a playlist of the store fills, and the limits of these slots. */
export function FilledPlaces({ id }: { id: string }) {
  const { t } = useTranslation();
  const inWords = useLimitsInWords();
  const filled = useSlots().filter((slot) => slot.filled?.playlist_id === id);
  if (filled.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={t('held.inPlaces', { count: filled.length })}
      actions={
        <ButtonLink to="/schedule/headquarters" size="small">
          {t('held.open')}
        </ButtonLink>
      }
    >
      {filled.map((slot) => t('held.inPlace', { place: slot.name, limits: inWords(slot) })).join(' ')}
    </Notice>
  );
}

/** A slot of a campaign among the items of headquarters' playlist, at its position. */
export function PlaceInList({ slotId }: { slotId: string }) {
  const slot = useSlots().find(({ id }) => id === slotId);
  return slot ? <SlotFilling slot={slot} /> : null;
}
