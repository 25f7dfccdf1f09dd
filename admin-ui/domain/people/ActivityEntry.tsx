import { Link } from '@tanstack/react-router';
import {
  CalendarDays,
  Clapperboard,
  Image,
  KeyRound,
  type LucideIcon,
  Monitor,
  Settings,
  Store,
  TriangleAlert,
  UserRound,
} from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../shared/contract/server/activity.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import './ActivityEntry.css';
import { type Noun, nounOf, piecesOf, placeholders, sentenceKey, spokenDetails } from './activityWords.ts';

const icons: Record<Noun, LucideIcon> = {
  screen: Monitor,
  content: Image,
  playlist: Clapperboard,
  plan: CalendarDays,
  people: UserRound,
  token: KeyRound,
  server: Settings,
  store: Store,
  problem: TriangleAlert,
};

type EntryProps = {
  entry: ActivityEntry;
  screen: { id: string; name: string } | undefined;
  /** True on the page of a screen: the entry shows the day, and no link to the screen. */
  here?: boolean;
};

export const ActivityLine = memo(function ActivityLine({ entry, screen, here = false }: EntryProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const noun = nounOf(entry.action);
  const Icon = icons[noun];
  const key = `activity.sentences.${sentenceKey(entry.action)}`;
  // A newer server may log actions that this page does not know. They get a general sentence.
  const sentence = i18n.exists(key)
    ? t(`activity.sentences.${sentenceKey(entry.action) as 'playlist_published'}`, placeholders)
    : t('activity.unknown', { ...placeholders, action: entry.action });
  const what = spokenDetails(entry.action, noun === 'problem' ? faultIn(entry.details) : entry.details, {
    role: (code) =>
      code.startsWith('org_')
        ? t(`people.organizationRoles.${code as 'org_admin'}`)
        : t(`people.roles.${code as 'workspace_editor'}`),
    scope: (code) => t(`tokens.scopes.${code as 'read'}`),
    contents: (count) => t('server.kindsCounted.contents', { count }),
    alert: (kind) =>
      kind === 'digest'
        ? t('attention.digest.name')
        : i18n.exists(`attention.kind.${kind}.name`)
          ? t(`attention.kind.${kind as 'screen_dark'}.name`)
          : kind,
  });
  const pieces = piecesOf(sentence, {
    who: entry.user_name || t('activity.system'),
    what,
    screen: screen?.name ?? t('activity.aScreen'),
  });
  return (
    <li className="activity-entry">
      <span className={noun === 'problem' ? 'activity-icon bad' : 'activity-icon'}>
        <Icon aria-hidden />
      </span>
      <div className="activity-text">
        {/* biome-ignore lint/suspicious/noArrayIndexKey: a sentence's pieces never move */}
        <p>{pieces.map((piece, i) => (piece.name ? <strong key={i}>{piece.text}</strong> : piece.text))}</p>
        <small>
          <time dateTime={new Date(entry.created_at * 1000).toISOString()}>
            {here ? format.dateTime(entry.created_at) : format.time(entry.created_at, true)}
          </time>
          {entry.ip_address && <span>{t('activity.from', { address: entry.ip_address })}</span>}
          {screen && !here && (
            <Link to="/screens/$screenId" params={{ screenId: screen.id }}>
              {screen.name}
            </Link>
          )}
        </small>
      </div>
    </li>
  );
});

/**
 * Translates the problem in a text like `Offers.jpg (address): the image cannot be read`, and keeps the file name.
 */
const faultIn = (details: string): string => {
  const at = details.lastIndexOf(': ');
  const whole = worded(details);
  return whole !== details || at < 0 ? whole : details.slice(0, at + 2) + worded(details.slice(at + 2));
};
