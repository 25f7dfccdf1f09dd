import { useQuery } from '@tanstack/react-query';
import { MapPin, Tag as TagIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import { nameOf, Tag } from '../../../shared/contract/fields.ts';
import type { CampaignBody } from '../../../shared/contract/headquarters/campaigns.ts';
import { RANKS, type Rank } from '../../../shared/program/ranks.ts';
import { chainStoresQuery, storeCountsQuery } from '../../api/chain/stores.ts';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Notice, Section } from '../../components/frame/Page.tsx';
import type { Draft as History } from '../../components/hooks/useHistory.ts';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { WordsField } from '../../domain/content/WordsField.tsx';
import { WhenFields } from '../../domain/time/WhenFields.tsx';
import { type Draft, type Fields, type Mistakes, reachOf, UNCHOSEN } from './campaigns.utils.ts';
import { Refusal } from './Refusal.tsx';
import { SlotFields } from './SlotFields.tsx';
import { StorePicker } from './StorePicker.tsx';

type FormProps = {
  history: History<Draft>;
  playlist: PlaylistWithItems | undefined;
  /** Mistakes in the draft; undefined before the first attempt to save. */
  mistakes: Mistakes | undefined;
  /** Error messages of the server, by field name. */
  refusals: Readonly<Record<string, string>>;
};

const NONE: readonly string[] = [];
const Region = nameOf(100);
/** Maximum numbers that the contract permits. */
const [MOST_REGIONS, MOST_TAGS, MOST_SCREEN_TAGS] = [200, 50, 20];

/** Form with all settings of a campaign. */
export function CampaignForm({ history, playlist, mistakes, refusals }: FormProps) {
  const { t } = useTranslation();
  const fields: Fields = {
    draft: history.value,
    change: (part, kind) => history.change((now) => ({ ...now, ...part }), kind),
  };
  const { draft, change } = fields;
  return (
    <div className="column campaign-form">
      <Section title={t('campaign.what')}>
        <div className="card pad form">
          <TextField
            label={t('common.name')}
            value={draft.name}
            onChange={(name) => change({ name }, 'name')}
            error={mistakes?.name ? t('form.missing', { field: t('common.name') }) : refusals['name']}
            maxLength={200}
          />
          <WhatFields {...fields} playlist={playlist} mistakes={mistakes} refusals={refusals} />
          <TextField
            label={t('campaign.note')}
            hint={t('campaign.noteHint')}
            value={draft.note}
            onChange={(note) => change({ note }, 'note')}
            multiline
            maxLength={1000}
          />
        </div>
      </Section>
      <Section title={t('campaign.when')} lead={t('campaign.whenHint')}>
        <div className="card pad form campaign-when">
          <WhenFields
            when={draft.when}
            onChange={(when) => change({ when })}
            error={
              mistakes?.when ? t(`schedule.mistake.${mistakes.when}`) : (refusals['end_time'] ?? refusals['start_time'])
            }
          />
          <RadioCards<CampaignBody['begins']>
            label={t('campaign.begins')}
            value={draft.begins}
            onChange={(begins) => change({ begins })}
            options={(['whole', 'parts'] as const).map((value) => ({
              value,
              label: t(`campaign.beginsOf.${value}`),
              hint: t(`campaign.beginsHint.${value}`),
            }))}
          />
        </div>
      </Section>
      <Section title={t('campaign.where')} lead={t('campaign.whereLead')}>
        <div className="card pad form">
          <WhereFields {...fields} />
          {refusals['where'] && <Refusal>{refusals['where']}</Refusal>}
        </div>
      </Section>
      <Section title={t('campaign.rank')}>
        <RadioCards<Rank>
          label={t('campaign.rank')}
          hideLabel
          value={draft.rank}
          onChange={(rank) => change({ rank })}
          options={RANKS.toReversed().map((value) => ({
            value,
            label: t(`campaigns.rank.${value}`),
            hint: t(`campaign.rankHint.${value}`),
          }))}
        />
      </Section>
      <Section title={t('campaign.slots')} lead={t('campaign.slotsLead')}>
        <SlotFields {...fields} playlist={playlist} mistakes={mistakes} />
        {refusals['slots'] && <Refusal>{refusals['slots']}</Refusal>}
      </Section>
    </div>
  );
}

const PLAYLISTS = ['playlist'] as const;
const LAYOUTS = ['layout'] as const;
type Shape = 'whole' | 'zone' | 'layout';

function WhatFields({
  draft,
  change,
  playlist,
  mistakes,
  refusals,
}: Fields & Pick<FormProps, 'playlist' | 'mistakes' | 'refusals'>) {
  const { t } = useTranslation();
  return (
    <>
      <SubjectPicker
        label={t('campaign.playlist')}
        hint={t('campaign.playlistHint')}
        placeholder={t('campaign.playlistNone')}
        kinds={PLAYLISTS}
        value={draft.playlist_id === null ? null : { kind: 'playlist', id: draft.playlist_id }}
        onChange={(picked) => change({ playlist_id: picked?.id ?? null })}
        allowsNone
      />
      {refusals['playlist_id'] && <Refusal>{refusals['playlist_id']}</Refusal>}
      {playlist && playlist.id === draft.playlist_id && <Published playlist={playlist} />}
      <RadioCards<Shape>
        label={t('campaign.on')}
        value={shapeOf(draft)}
        onChange={(shape) =>
          change(
            shape === 'layout'
              ? { layout_id: draft.layout_id ?? UNCHOSEN, whole_screen: true }
              : { layout_id: null, whole_screen: shape === 'whole' },
          )
        }
        options={(['whole', 'zone', 'layout'] as const).map((value) => ({
          value,
          label: t(`campaign.shape.${value}`),
          hint: t(`campaign.shapeHint.${value}`),
        }))}
      />
      {draft.layout_id !== null && (
        <SubjectPicker
          label={t('campaign.layout')}
          placeholder={t('campaign.layoutNone')}
          kinds={LAYOUTS}
          value={draft.layout_id === UNCHOSEN ? null : { kind: 'layout', id: draft.layout_id }}
          onChange={(picked) => change({ layout_id: picked?.id ?? UNCHOSEN })}
          autoFocus={draft.layout_id === UNCHOSEN}
          isInvalid={mistakes?.layout !== undefined}
        />
      )}
      {mistakes?.layout && <Refusal>{t('campaign.needsLayout')}</Refusal>}
      {refusals['layout_id'] && <Refusal>{refusals['layout_id']}</Refusal>}
    </>
  );
}

const shapeOf = ({ layout_id, whole_screen }: Draft): Shape =>
  layout_id !== null ? 'layout' : whole_screen ? 'whole' : 'zone';

function Published({ playlist }: { playlist: PlaylistWithItems }) {
  const { t } = useTranslation();
  if (playlist.status === 'published') return null;
  const isNew = playlist.published_at === null;
  return (
    <Notice
      tone={isNew ? 'warn' : 'info'}
      title={t(isNew ? 'campaign.playlistUnpublished' : 'campaign.playlistChanged')}
      actions={
        <ButtonLink to="/playlists/$playlistId" params={{ playlistId: playlist.id }} size="small">
          {t('campaign.openPlaylist')}
        </ButtonLink>
      }
    />
  );
}

function WhereFields({ draft, change }: Fields) {
  const { t } = useTranslation();
  const { regions = NONE, tags = NONE } = useQuery(storeCountsQuery).data ?? {};
  const { where } = draft;
  const look = (part: Partial<Draft['where']>) => change({ where: { ...where, ...part } });
  return (
    <>
      <WordsField
        label={t('campaign.regions')}
        hint={t('campaign.regionsHint')}
        icon={MapPin}
        placeholder={t('campaign.typeRegion')}
        titles={{ known: t('campaign.regions'), new: t('campaign.unknownRegion') }}
        known={regions}
        schema={Region}
        most={MOST_REGIONS}
        value={where.regions}
        onChange={(next) => look({ regions: next })}
      />
      <WordsField
        label={t('campaign.tags')}
        hint={t('campaign.tagsHint')}
        icon={TagIcon}
        placeholder={t('campaign.typeTag')}
        titles={{ known: t('campaign.tags'), new: t('campaign.unknownTag') }}
        known={tags}
        schema={Tag}
        most={MOST_TAGS}
        value={where.tags}
        onChange={(next) => look({ tags: next })}
      />
      <StorePicker
        label={t('campaign.named')}
        hint={t('campaign.namedHint')}
        value={where.store_ids}
        onChange={(store_ids) => look({ store_ids })}
      />
      <Reach draft={draft} />
      <WordsField
        label={t('campaign.screenTags')}
        hint={t('campaign.screenTagsHint')}
        icon={TagIcon}
        placeholder={t('campaign.typeTag')}
        titles={{ known: t('campaign.newTag'), new: t('campaign.newTag') }}
        known={NONE}
        schema={Tag}
        most={MOST_SCREEN_TAGS}
        value={draft.screen_tags}
        onChange={(screen_tags) => change({ screen_tags })}
      />
    </>
  );
}

/** Returns how many stores the draft selects, and how many of them are offline; undefined while loading. */
export const useReach = ({ where }: Pick<Draft, 'where'>) => {
  const stores = useQuery(chainStoresQuery).data;
  return stores && reachOf(where, stores);
};

export function Reach({ draft }: { draft: Pick<Draft, 'where'> }) {
  const { t } = useTranslation();
  const reach = useReach(draft);
  if (!reach) return null;
  const stores = t('campaign.reach', { count: reach.stores });
  return (
    <p className="campaign-reach" role="status">
      <strong>
        {reach.stores === 0
          ? t('campaign.reachNone')
          : reach.down === 0
            ? stores
            : t('campaign.reachDown', { stores, count: reach.down })}
      </strong>
      <small>{t('campaign.reachLater')}</small>
    </p>
  );
}
