import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AlertCounts } from '../../../shared/contract/server/alert-counts.ts';
import { ALERT_KINDS, type AlertKind } from '../../../shared/contract/server/alerts.ts';
import { alertCountsQuery } from '../../api/alertCounts.ts';
import { ENDED_SHOWN, endedAlertsQuery, type Whose } from '../../api/alerts.ts';
import { meQuery } from '../../api/session/me.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import nothingDrawing from '../../drawings/shop-front.svg?raw';
import '../../domain/screens/alertRows.css';
import { CampaignNeeds } from '../../domain/chain/CampaignNeeds.tsx';
import { Waiting } from './Waiting.tsx';
import './attention.css';
import { EndedRow } from './AlertRow.tsx';
import { AlertRules } from './AlertRules.tsx';
import { KindOfAlerts } from './KindOfAlerts.tsx';

const WHOSE = ['all', 'me', 'nobody'] as const satisfies readonly Whose[];

/** Page with the present problems: assignee, likely cause and remedy of each. */
export function AttentionPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/attention' });
  const search = useSearch({ from: '/shell/attention' });
  const state = search.state === 'ended' ? 'ended' : 'open';
  const whose = WHOSE.find((one) => one === search.whose) ?? 'all';
  const me = useQuery(meQuery).data;
  const [ruling, setRuling] = useState(false);
  return (
    <Page
      title={t('attention.title')}
      lead={t('attention.lead')}
      actions={
        me?.can_admin && (
          <Button icon={Settings2} onPress={() => setRuling(true)}>
            {t('attention.rules')}
          </Button>
        )
      }
    >
      <div className="toolbar">
        <Segments
          label={t('attention.state')}
          value={state}
          onChange={(next) => void navigate({ search: next === 'open' ? {} : { state: next }, replace: true })}
          options={[
            { value: 'open', label: t('attention.states.open') },
            { value: 'ended', label: t('attention.states.ended') },
          ]}
        />
        {state === 'open' && (
          <Segments
            label={t('attention.whose.label')}
            value={whose}
            onChange={(next) => void navigate({ search: next === 'all' ? {} : { whose: next }, replace: true })}
            options={WHOSE.map((value) => ({ value, label: t(`attention.whose.${value}`) }))}
          />
        )}
      </div>
      {state === 'open' && me?.headquarters && <CampaignNeeds />}
      {state === 'open' && me?.rights.approves && <Waiting />}
      {state === 'open' ? <Open whose={whose} /> : <Ended />}
      {ruling && <AlertRules onClose={() => setRuling(false)} />}
    </Page>
  );
}

type Count = AlertCounts['kinds'][number];
const MEMBER = { all: 'open', me: 'mine', nobody: 'nobodys' } as const satisfies Record<Whose, keyof Count>;

/** Returns the kinds with at least one alert, kinds of severity `bad` first. */
const shownKinds = (counts: readonly Count[], whose: Whose): { kind: AlertKind; of: Count; count: number }[] =>
  (['bad', 'warn'] as const).flatMap((severity) =>
    ALERT_KINDS.flatMap((kind) => {
      const of = counts.find((one) => one.kind === kind && one.severity === severity);
      return of && of[MEMBER[whose]] > 0 ? [{ kind, of, count: of[MEMBER[whose]] }] : [];
    }),
  );

function Open({ whose }: { whose: Whose }) {
  const { t } = useTranslation();
  const query = useQuery(alertCountsQuery);
  if (!query.data) return <Unanswered query={query} bones={<Bone height="16rem" radius="var(--r-l)" />} />;
  const kinds = shownKinds(query.data.kinds, whose);
  if (kinds.length === 0 && query.data.approvals + query.data.campaigns > 0) return null;
  if (kinds.length === 0)
    return (
      <Empty drawing={nothingDrawing} title={whose === 'all' ? t('attention.none') : t(`attention.noneOf.${whose}`)}>
        {query.data.open === 0 ? t('attention.noneHelp') : t('attention.noneOfHelp', { count: query.data.open })}
      </Empty>
    );
  return (
    <div className="alert-kinds">
      {kinds.map(({ kind, of, count }) => (
        <KindOfAlerts key={kind} kind={kind} severity={of.severity} whose={whose} count={count} loud={of.loud} />
      ))}
    </div>
  );
}

function Ended() {
  const { t } = useTranslation();
  const query = useQuery(endedAlertsQuery);
  if (!query.data) return <Unanswered query={query} bones={<Bone height="16rem" radius="var(--r-l)" />} />;
  if (query.data.length === 0) return <Empty drawing={nothingDrawing} title={t('attention.noneEnded')} />;
  return (
    <section className="card alert-kind">
      <ul>
        {query.data.map((alert) => (
          <EndedRow key={alert.id} alert={alert} />
        ))}
      </ul>
      {query.data.length === ENDED_SHOWN && (
        <p className="alert-more">{t('attention.newestEnded', { shown: ENDED_SHOWN })}</p>
      )}
    </section>
  );
}
