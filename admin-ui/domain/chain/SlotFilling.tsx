import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Check, CircleOff, ListPlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createPlaylist } from '../../../shared/contract/content/playlists.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { fillSlot, type SlotItem, type StoreSlot } from '../../../shared/contract/headquarters/managed.ts';
import { useManagedAmong } from '../../api/chain/managed.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { useCanWrite } from '../../api/session/me.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import './SlotFilling.css';

/** Describes the content that a slot permits, in one line. */
export const useLimitsInWords = (): ((slot: Pick<StoreSlot, 'max_items' | 'max_seconds' | 'kinds'>) => string) => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ max_items, max_seconds, kinds }) =>
    t('held.limits', {
      count: max_items,
      seconds: format.unit(max_seconds, 'second'),
      kinds: format.list(kinds.map((kind) => t(`held.kinds.${kind}`))),
    });
};

/** A slot of a campaign: its purpose, its present content, reasons for refused content, and the ways to fill it. */
export function SlotFilling({ slot }: { slot: StoreSlot }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const inWords = useLimitsInWords();
  const [choosing, setChoosing] = useState(false);
  const { filled } = slot;
  return (
    <section className="slot" aria-label={t('held.place', { name: slot.name })}>
      <h3>{t('held.place', { name: slot.name })}</h3>
      <p className="field-hint">{inWords(slot)}</p>
      {filled ? (
        <>
          <p>
            {t('held.filledBy')}{' '}
            <Link to="/playlists/$playlistId" params={{ playlistId: filled.playlist_id }}>
              {filled.name}
            </Link>
          </p>
          {filled.items.length === 0 && <p className="field-hint">{t('held.noItems')}</p>}
          <ul className="slot-items">
            {filled.items.map((item) => (
              <FilledItem key={item.item_id} item={item} />
            ))}
          </ul>
        </>
      ) : (
        <p>{t('held.empty')}</p>
      )}
      {canWrite && (
        <div className="slot-actions">
          <Button size="small" icon={ListPlus} onPress={() => setChoosing(true)}>
            {filled ? t('held.change') : t('held.choose')}
          </Button>
          {!filled && <MakeOne slot={slot} />}
          {filled && <Clear slot={slot} />}
        </div>
      )}
      {choosing && <ChoosePlaylist slot={slot} onClose={() => setChoosing(false)} />}
    </section>
  );
}

function FilledItem({ item: { name, seconds, left_out } }: { item: SlotItem }) {
  const { t } = useTranslation();
  const format = useFormat();
  const Icon = left_out === null ? Check : CircleOff;
  return (
    <li className={left_out === null ? 'plays' : 'left-out'}>
      <Icon aria-hidden />
      <span>
        <strong>{name}</strong>{' '}
        <small>
          {format.unit(seconds, 'second')}, {left_out === null ? t('held.plays') : t(`held.leftOut.${left_out}`)}
        </small>
      </span>
    </li>
  );
}

const useFill = (slot: StoreSlot, more: { done?: () => void; failed?: (error: Error) => boolean }) => {
  const { t } = useTranslation();
  return useEdit<string | null, StoreSlot>({
    topics: ['chain', 'playlists'],
    run: (playlist_id) => client.call(fillSlot, { params: { id: slot.id }, body: { playlist_id } }),
    said: ({ filled }) =>
      filled ? t('held.filled', { name: filled.name, place: slot.name }) : t('held.cleared', { place: slot.name }),
    ...(more.done && { done: more.done }),
    ...(more.failed && { failed: more.failed }),
  });
};

function Clear({ slot }: { slot: StoreSlot }) {
  const { t } = useTranslation();
  const fill = useFill(slot, {});
  return (
    <Button size="small" variant="quiet" isPending={fill.isPending} onPress={() => fill.mutate(null)}>
      {t('held.clear')}
    </Button>
  );
}

/** Creates an empty playlist with the name of the slot, and opens it for editing and publishing. */
function MakeOne({ slot }: { slot: StoreSlot }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const make = useEdit<void, { id: string }>({
    topics: ['playlists'],
    run: () => client.call(createPlaylist, { body: { name: slot.name.slice(0, 200) } }),
    done: ({ id }) => void navigate({ to: '/playlists/$playlistId', params: { playlistId: id } }),
  });
  return (
    <Button size="small" icon={Plus} isPending={make.isPending} onPress={() => make.mutate()}>
      {t('held.make')}
    </Button>
  );
}

function ChoosePlaylist({ slot, onClose }: { slot: StoreSlot; onClose: () => void }) {
  const { t } = useTranslation();
  const inWords = useLimitsInWords();
  const playlists = useQuery(playlistsQuery).data ?? [];
  const held = new Set(
    useManagedAmong(
      'playlist',
      playlists.map(({ id }) => id),
    )?.map(({ id }) => id),
  );
  const own = playlists.filter(
    ({ id, published_at, device_id }) => published_at !== null && device_id === null && !held.has(id),
  );
  const [chosen, setChosen] = useState(slot.filled?.playlist_id ?? '');
  const [problem, setProblem] = useState<string>();
  const fill = useFill(slot, {
    done: onClose,
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) return false;
      setProblem(worded(error.message.replace(/^playlist_id: /, '')));
      return true;
    },
  });
  return (
    <FormDialog
      title={t('held.chooseTitle', { name: slot.name })}
      onClose={onClose}
      onSubmit={() => fill.mutate(chosen)}
      submit={t('held.fill')}
      isPending={fill.isPending}
      isDisabled={chosen === ''}
    >
      <p>{t('held.chooseLead')}</p>
      <p className="field-hint">{inWords(slot)}</p>
      {problem !== undefined && (
        <Notice tone="bad" title={t('held.refused')}>
          {problem}
        </Notice>
      )}
      {own.length === 0 ? (
        <Notice tone="info" title={t('held.chooseNone')} actions={<MakeOne slot={slot} />} />
      ) : (
        <Select
          label={t('held.playlist')}
          value={chosen}
          onChange={(id) => {
            setChosen(id);
            setProblem(undefined);
          }}
          options={own.map(({ id, name, item_count }) => ({
            value: id,
            label: name,
            hint: t('playlists.items', { count: item_count }),
          }))}
        />
      )}
    </FormDialog>
  );
}
