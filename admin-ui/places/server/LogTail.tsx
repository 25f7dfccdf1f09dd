import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '../../../shared/contract/upkeep.ts';

import { useFormat } from '../../i18n/useFormat.ts';
import { ServerCard } from './ServerCard.tsx';

/** Newest on top: what has just gone wrong is what one looks for. */
export function LogTail({ log }: { log: ServerStatus['log'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const time = (at: string) => {
    const ms = Date.parse(at);
    return Number.isNaN(ms) ? at : `${format.date(ms / 1000)}, ${format.time(ms / 1000, true)}`;
  };
  return (
    <ServerCard part="log" title={t('server.log')} lead={t('server.logLead')}>
      {log.length === 0 ? (
        <p className="server-note">{t('server.logEmpty')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ol className="log" tabIndex={0} aria-label={t('server.log')}>
          {[...log].reverse().map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be written in one millisecond
            <li key={`${line.at}${i}`} className={line.level}>
              <time>{time(line.at)}</time> <span className="log-level">{line.level}</span> {line.message}
            </li>
          ))}
        </ol>
      )}
    </ServerCard>
  );
}
