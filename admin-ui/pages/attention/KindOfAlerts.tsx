import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ALERTS, type Alert, type AlertKind, markAlerts } from '../../../shared/contract/server/alerts.ts';
import { ALERTS_SHOWN, alertsQuery, type Whose } from '../../api/alerts.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { useCanWrite, useHasAllScreens } from '../../api/session/me.ts';
import { useHindrances } from '../../api/session/rights.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Badge, Bone } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { AlertRow } from './AlertRow.tsx';
import { AssignDialog, type Given } from './AssignDialog.tsx';
import { type Change, MarkMenu } from './MarkMenu.tsx';

/** Number of alerts of one kind that are shown before the user requests the rest. */
const FIRST = 4;

type KindProps = {
  kind: AlertKind;
  /** Severity of the worst alert. */
  severity: 'bad' | 'warn';
  whose: Whose;
  /** Number of open alerts for the selected assignment. */
  count: number;
  /** Number of alerts that are neither acknowledged nor muted. */
  loud: number;
};

/**
 * Section for the alerts of one kind. Only the first alerts are shown until the user opens the rest: two thousand
 * dark screens must not hide other alerts.
 */
export function KindOfAlerts({ kind, severity, whose, count, loud }: KindProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [all, setAll] = useState(false);
  const [giving, setGiving] = useState<Given>();
  const query = useQuery({
    ...alertsQuery(kind, whose, all ? ALERTS_SHOWN : FIRST),
    placeholderData: keepPreviousData,
  });
  const { mutate: mark } = useEdit({
    topics: ['alerts'],
    run: ({ of, change }: { of: Given; change: Change }) =>
      client.call(markAlerts, { body: { ...(of.alert ? { ids: [of.alert.id] } : { kind }), ...change } }),
  });
  const shown = query.data ?? [];
  const mayMark = useMayMark(kind, shown);
  const hasAll = useHasAllScreens();
  const ofKind: Given = { kind, count };
  const name = t(`attention.kind.${kind}.name`);
  return (
    <section className="card alert-kind" aria-labelledby={`alerts-${kind}`}>
      <header>
        <Badge tone={severity} dot>
          {format.number(count)}
        </Badge>
        <h2 id={`alerts-${kind}`}>{name}</h2>
        {hasAll && whose === 'all' && count > 1 && (
          <div className="alert-actions">
            {loud > 0 && (
              <Button size="small" onPress={() => mark({ of: ofKind, change: { acknowledged: true } })}>
                {t('attention.seenAll')}
              </Button>
            )}
            <MarkMenu
              name={name}
              isMuted={false}
              onMark={(change) => mark({ of: ofKind, change })}
              onGive={() => setGiving(ofKind)}
            />
          </div>
        )}
      </header>
      <Unanswered query={query} bones={<Bone height="6rem" radius="var(--r-l)" />} />
      <ul>
        {shown.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            {...(mayMark(alert) && {
              onMark: (change) => mark({ of: { kind, alert }, change }),
              onGive: () => setGiving({ kind, alert }),
            })}
          />
        ))}
      </ul>
      {shown.length < count && (
        <div className="alert-more">
          {all && <p>{t('attention.shownOf', { shown: shown.length, total: count })}</p>}
          {!all && (
            <Button variant="quiet" size="small" onPress={() => setAll(true)}>
              {t('attention.showAll', { count })}
            </Button>
          )}
        </div>
      )}
      {giving && (
        <AssignDialog
          of={giving}
          onGive={(assigned_to) => mark({ of: giving, change: { assigned_to } })}
          onClose={() => setGiving(undefined)}
        />
      )}
    </section>
  );
}

/** Returns which alerts the user may mark: alerts about records that the user may change. */
const useMayMark = (kind: AlertKind, shown: readonly Alert[]) => {
  const canWrite = useCanWrite();
  const hasAll = useHasAllScreens();
  const { of } = ALERTS[kind];
  const hindrances = useHindrances(
    of === 'content' || of === 'widget' ? of : 'screen',
    of === 'server' ? [] : shown.map(({ ref }) => ref),
  );
  // Approval is needed for changes on screens, but not for marking an alert.
  const others = new Set(hindrances?.flatMap(({ id, code }) => (code === 'approval_required' ? [] : [id])));
  return ({ ref }: Alert) => (of === 'server' ? hasAll : canWrite && hindrances !== undefined && !others.has(ref));
};
