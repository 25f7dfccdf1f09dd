import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import {
  MAX_PLAYBACK_TARGETS,
  type PlaybackProblem,
  type PlaybackQuestion,
} from '../../../shared/contract/content/playback.ts';
import { playbackQuery } from '../../api/playback.ts';
import { Badge, Notice } from '../../components/frame/Page.tsx';
import { ConvertFile } from './ConvertFile.tsx';

/** Maximum number of names in a sentence, and of items in a list. The rest is only counted. */
const NAMES = 5;
const ITEMS = 5;

const namesIn = ({ screens, total }: PlaybackProblem, t: TFunction): string => {
  const list = screens
    .slice(0, NAMES)
    .map(({ name }) => name)
    .join(', ');
  return total > NAMES ? t('playback.more', { list, count: total - NAMES }) : list;
};

/**
 * Names the screens that cannot play a content, or the contents of a playlist. Shows nothing if there is no problem.
 */
export function PlaybackProblems({ question }: { question: PlaybackQuestion }) {
  const { t } = useTranslation();
  const answer = useQuery(playbackQuery(question)).data;
  if (!answer || answer.problems.length === 0) return null;
  return (
    <>
      {answer.problems.slice(0, ITEMS).map((problem, at, all) => (
        <Notice
          key={`${problem.content_id} ${problem.reason}`}
          tone="warn"
          title={t(`playback.${problem.verdict}`, {
            count: problem.total,
            screens: answer.screens,
            name: problem.filename,
            list: namesIn(problem, t),
          })}
          actions={
            // Offers the conversion once for each file, because a file may have two problems.
            all.findIndex(({ content_id }) => content_id === problem.content_id) === at && (
              <ConvertFile id={problem.content_id} name={problem.filename} />
            )
          }
        >
          {t(`playback.reason.${problem.reason}`)}
        </Notice>
      ))}
      {answer.problems.length > ITEMS && <p>{t('playback.moreProblems', { count: answer.problems.length - ITEMS })}</p>}
    </>
  );
}

type Shown = Pick<PlaybackQuestion, 'content_id' | 'playlist_id' | 'layout_id'>;

/**
 * Names the problems that the chosen screens would have with a content, playlist or layout. Shows nothing while no
 * screen is chosen.
 */
export function PlaybackOnScreens({ shown, ids }: { shown: Shown; ids: readonly string[] }) {
  const targets = ids.slice(0, MAX_PLAYBACK_TARGETS).map((id) => ({ kind: 'device', id }) as const);
  return targets.length === 0 ? null : <PlaybackProblems question={{ ...shown, targets }} />;
}

/** Marks an item of a playlist that some of its screens cannot play. */
export function PlaybackBadge({ playlistId, contentId }: { playlistId: string; contentId: string | null }) {
  const { t } = useTranslation();
  const { data: problems = [] } = useQuery({
    ...playbackQuery({ playlist_id: playlistId }),
    enabled: contentId !== null,
    select: (answer) => answer.problems.filter(({ content_id }) => content_id === contentId),
  });
  return problems.map((problem) => (
    <span key={problem.reason} className="item-mark" title={namesIn(problem, t)}>
      <Badge tone="warn">{t(`playback.badge.${problem.verdict}`, { count: problem.total })}</Badge>
    </span>
  ));
}
