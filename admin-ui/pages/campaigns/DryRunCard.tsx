import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageCircleQuestionMark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Campaign, type CampaignPreview, startDryRun } from '../../../shared/contract/headquarters/campaigns.ts';
import { dryRunQuery } from '../../api/chain/campaigns.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Notice, Progress, Section } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { isCurrent } from './campaigns.utils.ts';
import { Lacking, useLacking } from './Lacking.tsx';

type DryRunProps = { campaign: Campaign; isDirty: boolean; mayAsk: boolean };

/**
 * Section with the stores' answers to the question what the campaign would change. Nothing is sent to screens before
 * the start.
 */
export function DryRunCard({ campaign, isDirty, mayAsk }: DryRunProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const queries = useQueryClient();
  const query = useQuery(dryRunQuery(campaign.id));
  const run = query.data;
  const lacking = useLacking(campaign);
  const ask = useEdit<void, CampaignPreview>({
    topics: [],
    run: () => client.call(startDryRun, { params: { id: campaign.id } }),
    done: (begun) => queries.setQueryData(dryRunQuery(campaign.id).queryKey, begun),
  });
  const isEmpty = campaign.playlist_id === null && campaign.layout_id === null;
  const hindrance = isDirty ? t('campaign.saveFirst') : isEmpty ? t('campaign.needsContent') : undefined;
  return (
    <Section title={t('campaign.before')}>
      <div className="card pad form dry-run">
        <Unanswered query={query} />
        {!isDirty && <Lacking needed={lacking} />}
        {!run && <p>{t('campaign.askLead')}</p>}
        {run && !isCurrent(run, campaign) && <Notice tone="warn" title={t('campaign.outOfDate')} />}
        {run && <Answers run={run} />}
        {mayAsk && (
          <div className="dry-run-ask">
            <Button
              icon={MessageCircleQuestionMark}
              isPending={ask.isPending || run?.state === 'asking'}
              isDisabled={hindrance !== undefined}
              onPress={() => ask.mutate()}
            >
              {t(run ? 'campaign.askAgain' : 'campaign.ask')}
            </Button>
            {(hindrance ?? run) && (
              <small>{hindrance ?? (run && t('campaign.asked', { ago: format.ago(run.asked_at, now) }))}</small>
            )}
          </div>
        )}
      </div>
    </Section>
  );
}

function Answers({ run }: { run: CampaignPreview }) {
  const { t } = useTranslation();
  const { answered, unreached, unable, stores: count } = run;
  const isAsking = run.state === 'asking';
  return (
    <>
      {isAsking && (
        <div className="dry-run-progress">
          <p>{t('campaign.answered', { answered: answered + unreached + unable, count })}</p>
          <Progress share={count === 0 ? 1 : (answered + unreached + unable) / count} label={t('campaign.asking')} />
        </div>
      )}
      <div role="status" className="dry-run-says">
        {!isAsking && run.changes === 0 && (
          <p>
            <strong>{t('campaign.changesNone')}</strong> {answered > 0 && t('campaign.changesNoneHelp')}
          </p>
        )}
        {run.changes > 0 && (
          <p>
            <strong>
              {t('campaign.changes', {
                screens: t('common.screens', { count: run.changes }),
                stores: t('campaigns.stores', { count: run.changed_stores }),
              })}
            </strong>{' '}
            {t('campaign.ofScreens', { meant: run.meant, count: run.screens })}
          </p>
        )}
        {unreached > 0 && <p>{t('campaign.unreached', { count: unreached })}</p>}
        {unable > 0 && <p>{t('campaign.unable', { count: unable })}</p>}
      </div>
      {run.changes > 0 && run.hidden.length === 0 && !isAsking && <p className="note">{t('campaign.hiddenNone')}</p>}
      <Hidden title={t('campaign.hidden')} rows={run.hidden} />
      <Hidden title={t('campaign.goesBefore')} rows={run.before} />
    </>
  );
}

/** Maximum number of rows beside the form. */
const SHOWN = 8;

export function Hidden({ title, rows }: { title: string; rows: CampaignPreview['hidden'] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  const rest = rows.length - SHOWN;
  return (
    <div className="dry-run-list">
      <h3>{title}</h3>
      <ul>
        {rows.slice(0, SHOWN).map(({ what, name, screens, stores }) => (
          <li key={`${what} ${name}`}>
            <span>
              <strong>{name}</strong> <small>{t(`campaign.hiddenKind.${what}`)}</small>
            </span>
            <small>
              {t('campaign.hiddenOn', {
                screens: t('common.screens', { count: screens }),
                stores: t('campaigns.stores', { count: stores }),
              })}
            </small>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="note">{t('campaign.hiddenMore', { count: rest })}</p>}
    </div>
  );
}
