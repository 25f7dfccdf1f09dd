import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MINUTE_MS } from '../../../../shared/program/civil.ts';
import type { Cue, Program, Scene, ZoneScene } from '../../../../shared/program/program.ts';
import { rankOf } from '../../../../shared/program/ranks.ts';
import { titleOf } from '../../../../shared/program/titles.ts';
import { toLocal } from '../../../../shared/program/zones.ts';
import { templateName } from '../../../domain/records/templateName.ts';
import { writeTime } from '../../../i18n/civil.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { closedItems, emptyBecause, isWholeScreen, waitingOf } from './playbackPreview.utils.ts';

type ReasonsProps = {
  screenId: string;
  program: Program;
  zone: string;
  instant: number;
  scene: Scene;
  lead: string | undefined;
};

/** Lists the shown content, the reason for it, and everything that it displaces. */
export function Reasons({ screenId, program, zone, instant, scene, lead }: ReasonsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const whole = isWholeScreen(scene);
  const waiting = waitingOf(program, zone, instant);
  const closed = closedItems(program, zone, instant);
  const titles = new Map(program.schedules.map((s) => [s.id, titleOf(program, s)]));
  const ranks = new Map(program.schedules.map((s) => [s.id, rankOf(s)]));
  const nameOf = (id: string) => {
    const name = titles.get(id) || t('schedule.untitled');
    return ranks.get(id) ? t('held.campaign', { name }) : name;
  };
  const layoutName = scene.layout ? templateName({ ...scene.layout, is_template: 1 }, t) : '';
  const nothing = () => {
    const because = emptyBecause(program, zone, instant);
    if (!because) return t('playbackPreview.nothing');
    const name = because.name || t('schedule.untitled');
    return because.why === 'plan'
      ? t('playbackPreview.nothingPlanned', { name })
      : t('playbackPreview.nothingInPlaylist', { name });
  };
  return (
    <div className="reasons">
      {lead && <p>{lead}</p>}
      {scene.idle && <p>{nothing()}</p>}
      {!scene.idle && (
        <ul className="zones-now">
          {scene.zones.map((part) => (
            <ZoneNow key={part.zone.id} part={part} named={!whole} program={program} zone={zone} screenId={screenId} />
          ))}
        </ul>
      )}
      {scene.layout && (
        <p className="field-hint">
          {scene.layout_schedule_id === null
            ? t('playbackPreview.layoutOwn', { name: layoutName })
            : t('playbackPreview.layoutOf', { name: layoutName, plan: nameOf(scene.layout_schedule_id) })}
        </p>
      )}
      {(scene.losing.length > 0 || waiting || closed.length > 0) && (
        <div className="losing">
          <h3>{t('playbackPreview.losing')}</h3>
          <ul>
            {scene.losing.map((rule) => (
              <li key={rule.schedule_id}>
                {ranks.get(rule.schedule_id) ? (
                  <Link to="/schedule/headquarters">{nameOf(rule.schedule_id)}</Link>
                ) : (
                  <Link to="/schedule" search={{ for: `screen:${screenId}`, show: rule.schedule_id }}>
                    {nameOf(rule.schedule_id)}
                  </Link>
                )}
                <span>
                  {ranks.get(rule.lost_to)
                    ? t('held.gives', { name: titles.get(rule.lost_to) ?? '' })
                    : t('playbackPreview.lostTo', {
                        name: nameOf(rule.lost_to),
                        why: t(`schedule.because.${rule.because}`),
                      })}
                </span>
              </li>
            ))}
            {waiting && (
              <li>
                <strong>{waiting.name}</strong>
                <span>{t(`playbackPreview.waits.${waiting.source}`)}</span>
              </li>
            )}
            {closed.length > 0 && (
              <li>
                <strong>{format.list(closed.map((item) => item.name))}</strong>
                <span>{t('playbackPreview.closed')}</span>
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Milliseconds. Shorter plays are shown with seconds. */
const LONG_MS = 10 * MINUTE_MS;

function ZoneNow({
  part: { zone: place, cue, next },
  named,
  program,
  zone,
  screenId,
}: {
  part: ZoneScene;
  named: boolean;
  program: Program;
  zone: string;
  screenId: string;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const clock = (instant: number, seconds: boolean) =>
    seconds ? writeTime(format.locale, toLocal(instant, zone), true) : writeTime(format.locale, toLocal(instant, zone));
  const short = cue !== null && cue.until - cue.since < LONG_MS;
  return (
    <li>
      {named && <small className="zone-name">{place.name}</small>}
      <strong>{cue ? cue.item.name : t('playbackPreview.zoneEmpty')}</strong>
      {cue && (
        <span className="tabular">
          {t('playbackPreview.turn', { from: clock(cue.since, short), to: clock(cue.until, short) })}
          {next && next.item !== cue.item && ` · ${t('playbackPreview.next', { name: next.item.name })}`}
        </span>
      )}
      {cue && <Why cue={cue} program={program} zone={zone} screenId={screenId} />}
    </li>
  );
}

function Why({ cue, program, zone, screenId }: { cue: Cue; program: Program; zone: string; screenId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { source } = cue;
  if (source.kind === 'schedule') {
    const time = (instant: number) => writeTime(format.locale, toLocal(instant, zone));
    const plan = program.schedules.find(({ id }) => id === source.schedule_id);
    const rank = plan && rankOf(plan);
    if (rank)
      return (
        <span className="why">
          {t('playbackPreview.because.schedule', {
            from: time(source.occurrence_start),
            to: time(source.occurrence_end),
          })}{' '}
          <Link to="/schedule/headquarters">
            {t('held.campaignRank', { name: titleOf(program, plan), rank: t(`held.rankShort.${rank}`) })}
          </Link>
        </span>
      );
    return (
      <span className="why">
        {t('playbackPreview.because.schedule', {
          from: time(source.occurrence_start),
          to: time(source.occurrence_end),
        })}{' '}
        <Link to="/schedule" search={{ for: `screen:${screenId}`, show: source.schedule_id }}>
          {(plan && titleOf(program, plan)) || t('schedule.untitled')}
        </Link>
      </span>
    );
  }
  const playlist = program.playlists.find((p) => p.id === cue.playlist_id)?.name ?? '';
  return <span className="why">{t(`playbackPreview.because.${source.kind}`, { playlist })}</span>;
}
