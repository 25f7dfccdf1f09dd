import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, type CampaignEdition, rollBack } from '../../../shared/contract/headquarters/campaigns.ts';
import { campaignEditionsQuery } from '../../api/chain/campaigns.ts';
import { client } from '../../api/requests/client.ts';
import { hitQuery } from '../../api/requests/search.ts';
import { useMayCommand } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Badge, Bone, Section } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { StackTable } from '../../domain/records/StackTable.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { differences } from './campaigns.utils.ts';
import { useCampaignWords } from './useCampaignWords.ts';

type EditionsProps = { campaign: Campaign; etag: string | undefined };

/**
 * Section with the editions that stores received: the differences between editions, and a button to return to an
 * edition.
 */
export function Editions({ campaign, etag }: EditionsProps) {
  const { t } = useTranslation();
  const query = useQuery(campaignEditionsQuery(campaign.id));
  // Returning to an edition takes effect in stores at once, so only users who need no approval may do it.
  const mayRollBack = useMayCommand();
  const [asking, setAsking] = useState<CampaignEdition>();
  const editions = query.data ?? [];
  return (
    <Section title={t('campaign.editions')} lead={t('campaign.editionsLead')}>
      <Unanswered query={query} bones={<Bone height="12rem" radius="var(--r-l)" />} />
      {editions.length > 0 && (
        <StackTable
          caption={t('campaign.editions')}
          box="campaigns-box"
          table="campaign-editions"
          columns={[
            { name: t('campaign.editionColumn.edition') },
            { name: t('campaign.editionColumn.made') },
            { name: t('campaign.editionColumn.says') },
            { name: t('campaign.editionColumn.differs') },
            { name: t('campaign.editionColumn.size'), className: 'number' },
            ...(mayRollBack ? [{ name: t('campaign.rollBack'), className: 'actions', isHidden: true }] : []),
          ]}
        >
          {editions.map((edition, i) => (
            <EditionRow
              key={edition.edition}
              campaign={campaign}
              edition={edition}
              before={editions[i + 1]}
              onRollBack={mayRollBack ? () => setAsking(edition) : undefined}
            />
          ))}
        </StackTable>
      )}
      {asking && <RollBack campaign={campaign} etag={etag} edition={asking} onClose={() => setAsking(undefined)} />}
    </Section>
  );
}

type RowProps = {
  campaign: Campaign;
  edition: CampaignEdition;
  before: CampaignEdition | undefined;
  onRollBack: (() => void) | undefined;
};

function EditionRow({
  campaign,
  edition: { edition, made_at, made_by, approved_by, bytes, body },
  before,
  onRollBack,
}: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useCampaignWords();
  const isLast = edition === campaign.edition;
  const isLive = isLast && campaign.phases !== null;
  const found = before && differences(before.body, body);
  return (
    <tr>
      <th scope="row">
        <span className="campaign-state">
          {t('campaign.edition', { edition })}
          {isLast && (
            <Badge tone={isLive ? 'good' : undefined}>
              {t(isLive ? 'campaign.editionNow' : 'campaign.editionLast')}
            </Badge>
          )}
        </span>
      </th>
      <td data-label={t('campaign.editionColumn.made')} className="campaign-words">
        <span>
          {t('campaign.editionBy', { when: format.dateTime(made_at), name: made_by })}
          {approved_by !== null && (
            <small className="quiet">{t('campaign.editionApproved', { name: approved_by })}</small>
          )}
        </span>
      </td>
      <td data-label={t('campaign.editionColumn.says')} className="campaign-words">
        <Says body={body} />
      </td>
      <td data-label={t('campaign.editionColumn.differs')} className="campaign-words">
        {found === undefined
          ? t('campaign.editionFirst')
          : found.length > 0
            ? words.differences(found)
            : t('campaign.editionSame')}
      </td>
      <td data-label={t('campaign.editionColumn.size')} className="number">
        {format.bytes(bytes)}
      </td>
      {onRollBack && (
        <td className="actions">
          {!isLive && (
            <Button size="small" icon={History} onPress={onRollBack}>
              {t('campaign.rollBack')}
            </Button>
          )}
        </td>
      )}
    </tr>
  );
}

/** Summary of an edition: playlist, period and stores. */
function Says({ body }: { body: CampaignEdition['body'] }) {
  const words = useCampaignWords();
  const { playlist_id: playlistId } = body;
  const playlist = useQuery({ ...hitQuery('playlist', playlistId ?? ''), enabled: playlistId !== null }).data;
  return (
    <span>
      {playlist?.name ?? body.name}
      <small className="quiet">
        {[words.days(body), body.recurrence !== null && words.rhythm(body), words.where(body.where)]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </span>
  );
}

type RollBackProps = EditionsProps & { edition: CampaignEdition; onClose: () => void };

function RollBack({ campaign, etag, edition: { edition, body }, onClose }: RollBackProps) {
  const { t } = useTranslation();
  const words = useCampaignWords();
  const found = differences(campaign, body);
  return (
    <ConfirmEdit<Campaign>
      title={t('campaign.rollBackAsk', { edition })}
      confirm={t('campaign.rollBackDo', { edition })}
      topics={['campaigns']}
      run={() => client.call(rollBack, { params: { id: campaign.id }, body: { edition }, ifMatch: etag })}
      said={() => t('campaign.rolledBack', { edition })}
      onClose={onClose}
    >
      <p>{t('campaign.rollBackEffects', { count: campaign.stores })}</p>
      <p>
        {found.length > 0
          ? t('campaign.rollBackDiffers', { what: words.differences(found) })
          : t('campaign.rollBackSame')}{' '}
        {t('campaign.rollBackContent')}
      </p>
      <p className="campaign-words">
        <Says body={body} />
      </p>
    </ConfirmEdit>
  );
}
