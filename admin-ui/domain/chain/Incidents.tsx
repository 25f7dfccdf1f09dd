import { Check, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Incident } from '../../../shared/chain/wire.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import './Incidents.css';

type IncidentsProps = {
  incidents: readonly {
    readonly id: string;
    readonly kind: string;
    readonly details: string;
    readonly at: number;
    /** Time at which a user marked the incident as seen; absent if incidents cannot be marked. */
    readonly seen_at?: number | null;
    readonly seen_by?: string | null;
  }[];
};

/** Past problems between a store and headquarters: time, description, and remedy. */
export function Incidents({ incidents }: IncidentsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className="card incidents">
      {incidents.map(({ id, kind, details, at, seen_at = null, seen_by = null }) => {
        // A store of a newer version may report kinds that this page does not know. They get a general text.
        const known = Incident.safeParse(kind).data;
        const seen = seen_at !== null;
        const Icon = seen ? Check : TriangleAlert;
        return (
          <li key={id} className={seen ? 'seen' : undefined}>
            <Icon aria-hidden />
            <div>
              <p className="incident-head">
                <strong>{t(`incident.name.${known ?? 'other'}`)}</strong>{' '}
                <time dateTime={new Date(at * 1000).toISOString()}>{format.dateTime(at)}</time>
              </p>
              {details && <p>{worded(details)}</p>}
              {known && !seen && <p className="note">{t(`incident.todo.${known}`)}</p>}
              {seen && <p className="note">{seen_by ? t('incident.seenBy', { name: seen_by }) : t('incident.seen')}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
