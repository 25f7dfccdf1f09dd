import { Link } from '@tanstack/react-router';
import { Check, Hand } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../shared/contract/server/alerts.ts';
import { useMe } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Badge } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { useAlertWords } from './alertWords.ts';
import { type Change, MarkMenu } from './MarkMenu.tsx';
import { placeOf } from './serverPlaces.ts';

const linkOf = ({ of, ref }: Alert) => {
  switch (of) {
    case 'server': {
      const place = placeOf(ref);
      if (place === 'backups') return { to: '/settings/backups' } as const;
      return { to: '/settings/server', search: { part: place.part } } as const;
    }
    case 'device':
      return { to: '/screens/$screenId', params: { screenId: ref } } as const;
    case 'widget':
      return { to: '/widgets/$widgetId', params: { widgetId: ref } } as const;
    case 'content':
      return { to: '/content', search: { show: ref } } as const;
  }
};

type AlertRowProps = {
  alert: Alert;
  /** Called to mark the alert. Absent for users who may only view. */
  onMark?: (change: Change) => void;
  onGive?: () => void;
};

export function AlertRow({ alert, onMark, onGive }: AlertRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const words = useAlertWords(alert);
  const isMuted = alert.muted_until !== null && alert.muted_until > now;
  const isSeen = alert.acknowledged_at !== null;
  const place = alert.of === 'server' ? placeOf(alert.ref) : undefined;
  const isMine = alert.assigned_to === useMe().id;
  return (
    <li className={isMuted || isSeen ? 'alert-row quiet' : 'alert-row'}>
      <div className="alert-text">
        <p>
          <Link {...linkOf(alert)}>
            <strong>{words.name}</strong>
          </Link>{' '}
          {words.what && <span>{words.what}</span>}{' '}
          <small>{t('attention.since', { ago: format.ago(alert.since, now) })}</small>
        </p>
        {words.detail && <p className="alert-detail">{words.detail}</p>}
        {words.todo && <p className="alert-todo">{words.todo}</p>}
        {place && (
          <p className="alert-todo">
            <Link {...linkOf(alert)}>
              {t('attention.mend', {
                page: place === 'backups' ? t('server.backupsTitle') : t(`server.pages.${place.page}`),
              })}
            </Link>
          </p>
        )}
        <p className="alert-marks">
          {alert.assigned_name && <Badge tone="info">{t('attention.taken', { name: alert.assigned_name })}</Badge>}
          {alert.acknowledged_by && <Badge>{t('attention.seenBy', { name: alert.acknowledged_by })}</Badge>}
          {isMuted && <Badge>{t('attention.muted', { until: format.dateTime(alert.muted_until ?? 0) })}</Badge>}
        </p>
      </div>
      {onMark && onGive && (
        <div className="alert-actions">
          <Button size="small" icon={Check} onPress={() => onMark({ acknowledged: !isSeen })}>
            {isSeen ? t('attention.unseen') : t('attention.seen')}
          </Button>
          <Button size="small" icon={Hand} onPress={() => onMark({ taken: !isMine })}>
            {isMine ? t('attention.leave') : t('attention.take')}
          </Button>
          <MarkMenu name={words.name} isMuted={isMuted} onMark={onMark} onGive={onGive} />
        </div>
      )}
    </li>
  );
}

/** Row of an alert that has ended. */
export function EndedRow({ alert }: { alert: Alert }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useAlertWords(alert);
  return (
    <li className="alert-row quiet">
      <div className="alert-text">
        <p>
          <Link {...linkOf(alert)}>
            <strong>{words.name}</strong>
          </Link>{' '}
          <span>{t(`attention.kind.${alert.kind}.name`)}</span>
        </p>
        {words.was && <p className="alert-detail">{words.was}</p>}
        <p className="alert-detail">
          {t('attention.over', {
            from: format.dateTime(alert.since),
            length: format.span((alert.ended_at ?? alert.since) - alert.since),
          })}
        </p>
      </div>
    </li>
  );
}
