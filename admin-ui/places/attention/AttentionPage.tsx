import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { BellOff, Check, Hand, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ALERT_KINDS, ALERTS, type Alert, type AlertKind, markAlerts } from '../../../shared/contract/alerts.ts';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { Button, ButtonLink, IconButton } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import { Badge, Bone, Empty, Notice, Page } from '../../components/Page.tsx';
import { useNow } from '../../components/useNow.ts';
import { alertCountsQuery } from '../../data/alertCounts.ts';
import { ALERTS_SHOWN, alertsQuery, endedAlertsQuery } from '../../data/alerts.ts';
import { waitingQuery } from '../../data/approvals.ts';
import { client } from '../../data/client.ts';
import { meQuery, useCanWrite, useHasAllScreens } from '../../data/me.ts';
import { useHindrances } from '../../data/rights.ts';
import { serverStatusQuery } from '../../data/server.ts';
import { useEdit } from '../../data/useEdit.ts';
import nothingDrawing from '../../drawings/shop-front.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { Unanswered } from '../../parts/QueryFailure.tsx';
import { useAlertWords } from './alertWords.ts';
import './attention.css';
import { AlertRules } from './AlertRules.tsx';

type Mark = BodyOf<typeof markAlerts>;
type Marking = (mark: Mark) => void;

/** Of one kind so many are shown until somebody asks for the rest. */
const FIRST = 4;

/** What is wrong now and whom it needs, each with its likely cause and what to do. */
export function AttentionPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/attention' });
  const state = useSearch({ from: '/shell/attention' }).state === 'ended' ? 'ended' : 'open';
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
      </div>
      {me?.is_platform_admin && state === 'open' && <ServerProblems />}
      {state === 'open' && me?.rights.approves && <Waiting />}
      {state === 'open' ? <Open /> : <Ended />}
      {ruling && <AlertRules onClose={() => setRuling(false)} />}
    </Page>
  );
}

/** Of the server they have a place of their own. */
function ServerProblems() {
  const { t } = useTranslation();
  const problems = useQuery(serverStatusQuery).data?.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <Notice
      tone="bad"
      title={t('attention.server')}
      actions={
        <Link to="/settings/server" className="button secondary small">
          {t('attention.serverOpen')}
        </Link>
      }
    >
      {problems.map(({ code }) => t(`server.problems.${code}`)).join(' · ')}
    </Notice>
  );
}

/** What others want to publish, the longest first. */
function Waiting() {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  // Who edited it since asks again: that waits for them.
  const waiting = (useQuery(waitingQuery).data ?? []).filter(({ is_stale }) => !is_stale);
  if (waiting.length === 0) return null;
  return (
    <section className="card alert-kind" aria-labelledby="waiting-for-approval">
      <header>
        <Badge tone="info" dot>
          {format.number(waiting.length)}
        </Badge>
        <h2 id="waiting-for-approval">{t('approval.section')}</h2>
      </header>
      <ul>
        {waiting.map(({ id, playlist_id, playlist_name, user_name, note, created_at }) => (
          <li key={id} className="alert-row">
            <div className="alert-text">
              <p>
                <strong>{playlist_name}</strong>{' '}
                <small>{t('approval.sectionOf', { who: user_name, ago: format.ago(created_at, now) })}</small>
              </p>
              {note && <p className="alert-detail">{note}</p>}
            </div>
            <div className="alert-actions">
              <ButtonLink to="/playlists/$playlistId" params={{ playlistId: playlist_id }} size="small">
                {t('approval.look')}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Open() {
  const { t } = useTranslation();
  const query = useQuery(alertCountsQuery);
  const mark = useEdit<Mark>({
    topics: ['alerts'],
    run: (body) => client.call(markAlerts, { body }),
  });
  if (!query.data) return <Unanswered query={query} bones={<Bone height="16rem" radius="var(--r-l)" />} />;
  if (query.data.open === 0 && query.data.approvals > 0) return null;
  if (query.data.open === 0)
    return (
      <Empty drawing={nothingDrawing} title={t('attention.none')}>
        {t('attention.noneHelp')}
      </Empty>
    );
  const counts = new Map(query.data.kinds.map((of) => [of.kind, of]));
  return (
    <div className="alert-kinds">
      {ALERT_KINDS.flatMap((kind) => {
        const of = counts.get(kind);
        return of ? [<KindOfAlerts key={kind} kind={kind} open={of.open} loud={of.loud} onMark={mark.mutate} />] : [];
      })}
    </div>
  );
}

type KindProps = {
  kind: AlertKind;
  /** How many last, and how many of them nobody has seen. */
  open: number;
  loud: number;
  onMark: Marking;
};

/** Two thousand dark screens are one thing that unfolds: they keep nothing else from being seen. */
function KindOfAlerts({ kind, open, loud, onMark }: KindProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const canWrite = useCanWrite();
  const hasAll = useHasAllScreens();
  const [all, setAll] = useState(false);
  const query = useQuery({ ...alertsQuery(kind, all ? ALERTS_SHOWN : FIRST), placeholderData: keepPreviousData });
  const shown = query.data ?? [];
  const { of } = ALERTS[kind];
  const hindrances = useHindrances(
    of === 'device' ? 'screen' : of,
    shown.map(({ ref }) => ref),
  );
  const others = new Set(hindrances?.flatMap(({ id, code }) => (code === 'approval_required' ? [] : [id])));
  const mayMark = ({ ref }: Alert) => canWrite && hindrances !== undefined && !others.has(ref);
  return (
    <section className="card alert-kind" aria-labelledby={`alerts-${kind}`}>
      <header>
        <Badge tone={ALERTS[kind].severity} dot>
          {format.number(open)}
        </Badge>
        <h2 id={`alerts-${kind}`}>{t(`attention.kind.${kind}.name`)}</h2>
        {hasAll && open > 1 && loud > 0 && (
          <Button size="small" onPress={() => onMark({ kind, acknowledged: true })}>
            {t('attention.seenAll')}
          </Button>
        )}
      </header>
      <Unanswered query={query} bones={<Bone height="6rem" radius="var(--r-l)" />} />
      <ul>
        {shown.map((alert) => (
          <AlertRow key={alert.id} alert={alert} onMark={mayMark(alert) ? onMark : undefined} />
        ))}
      </ul>
      {shown.length < open && (
        <div className="alert-more">
          {all && <p>{t('attention.shownOf', { shown: shown.length, total: open })}</p>}
          {!all && (
            <Button variant="quiet" size="small" onPress={() => setAll(true)}>
              {t('attention.showAll', { count: open })}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

const linkOf = ({ of, ref }: Alert) =>
  of === 'device'
    ? ({ to: '/screens/$screenId', params: { screenId: ref } } as const)
    : of === 'widget'
      ? ({ to: '/widgets/$widgetId', params: { widgetId: ref } } as const)
      : ({ to: '/content', search: { show: ref } } as const);

function AlertRow({ alert, onMark }: { alert: Alert; onMark: Marking | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const words = useAlertWords(alert);
  const isMuted = alert.muted_until !== null && alert.muted_until > now;
  const isQuiet = isMuted || alert.acknowledged_at !== null;
  return (
    <li className={isQuiet ? 'alert-row quiet' : 'alert-row'}>
      <div className="alert-text">
        <p>
          <Link {...linkOf(alert)}>
            <strong>{alert.name}</strong>
          </Link>{' '}
          <span>{words.what}</span> <small>{t('attention.since', { ago: format.ago(alert.since, now) })}</small>
        </p>
        {words.detail && <p className="alert-detail">{words.detail}</p>}
        <p className="alert-todo">{words.todo}</p>
        <p className="alert-marks">
          {alert.assigned_name && <Badge tone="info">{t('attention.taken', { name: alert.assigned_name })}</Badge>}
          {alert.acknowledged_by && <Badge>{t('attention.seenBy', { name: alert.acknowledged_by })}</Badge>}
          {isMuted && <Badge>{t('attention.muted', { until: format.dateTime(alert.muted_until ?? 0) })}</Badge>}
        </p>
      </div>
      {onMark && <Marks alert={alert} isMuted={isMuted} now={now} onMark={onMark} />}
    </li>
  );
}

const DAY = 86_400;

function Marks({ alert, isMuted, now, onMark }: { alert: Alert; isMuted: boolean; now: number; onMark: Marking }) {
  const { t } = useTranslation();
  const ids = [alert.id];
  const taken = alert.assigned_to !== null;
  const seen = alert.acknowledged_at !== null;
  const mute = (until: number | null) => onMark({ ids, muted_until: until });
  const morning = new Date((now + DAY) * 1000).setHours(6, 0, 0, 0) / 1000;
  return (
    <div className="alert-actions">
      <Button size="small" icon={Check} onPress={() => onMark({ ids, acknowledged: !seen })}>
        {seen ? t('attention.unseen') : t('attention.seen')}
      </Button>
      <Button size="small" icon={Hand} onPress={() => onMark({ ids, taken: !taken })}>
        {taken ? t('attention.leave') : t('attention.take')}
      </Button>
      <Menu
        label={t('attention.mute')}
        trigger={<IconButton icon={BellOff} size="small" label={`${t('attention.mute')}: ${alert.name}`} />}
      >
        <MenuItem onAction={() => mute(now + 3_600)}>{t('attention.muteFor.hour')}</MenuItem>
        <MenuItem onAction={() => mute(morning)}>{t('attention.muteFor.tomorrow')}</MenuItem>
        <MenuItem onAction={() => mute(now + 7 * DAY)}>{t('attention.muteFor.week')}</MenuItem>
        {isMuted ? <MenuItem onAction={() => mute(null)}>{t('attention.unmute')}</MenuItem> : null}
      </Menu>
    </div>
  );
}

function Ended() {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(endedAlertsQuery);
  if (!query.data) return <Unanswered query={query} bones={<Bone height="16rem" radius="var(--r-l)" />} />;
  if (query.data.length === 0) return <Empty drawing={nothingDrawing} title={t('attention.noneEnded')} />;
  return (
    <section className="card alert-kind">
      <ul>
        {query.data.map((alert) => (
          <li key={alert.id} className="alert-row quiet">
            <div className="alert-text">
              <p>
                <Link {...linkOf(alert)}>
                  <strong>{alert.name}</strong>
                </Link>{' '}
                <span>{t(`attention.kind.${alert.kind}.name`)}</span>
              </p>
              <p className="alert-detail">
                {t('attention.over', {
                  from: format.dateTime(alert.since),
                  length: format.span((alert.ended_at ?? alert.since) - alert.since),
                })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
