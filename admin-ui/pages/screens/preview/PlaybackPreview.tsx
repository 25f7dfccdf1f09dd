import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Clock } from 'lucide-react';
import { type CSSProperties, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { DAY_MS, MINUTE_MS } from '../../../../shared/program/civil.ts';
import { createResolver } from '../../../../shared/program/resolve.ts';
import { programQuery } from '../../../api/screens.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { Bone, Section } from '../../../components/frame/Page.tsx';
import { useNow } from '../../../components/hooks/useNow.ts';
import { ScenePicture } from '../../../domain/preview/ScenePicture.tsx';
import { type Closed, closedOn, hoursAt, laterInWords } from '../../../domain/screens/hours.utils.ts';
import { colourOf } from '../../../domain/screens/planColours.ts';
import { blocksInWords } from '../../../domain/time/blocks.utils.ts';
import { writeDay, writeTime } from '../../../i18n/civil.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import './playbackPreview.css';
import { PanelOff } from '../PanelOff.tsx';
import {
  dateText,
  instantOf,
  type Moment,
  momentOf,
  momentText,
  parseMoment,
  pictureSize,
  type Stretch,
  stretchesOf,
  timeText,
  withDate,
  withTime,
} from './playbackPreview.utils.ts';
import { Reasons } from './Reasons.tsx';

/**
 * Answers "What does this screen show on Friday at 17:05, and why?" The address contains the instant; without it,
 * the present time is used.
 */
export function PlaybackPreview({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const query = useQuery(programQuery(screen.id));
  return (
    <Section title={t('playbackPreview.title')} lead={t('playbackPreview.lead')}>
      <div id="playback-preview" className="playback-preview">
        {query.data ? <Answer screen={screen} data={query.data} /> : <Bone height="18rem" radius="var(--r-l)" />}
      </div>
    </Section>
  );
}

type AnswerProps = { screen: Device; data: NonNullable<ReturnType<typeof useProgramData>> };
const useProgramData = (id: string) => useQuery(programQuery(id)).data;

function Answer({ screen, data: { program, placement } }: AnswerProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const now = useNow() * 1000;
  const navigate = useNavigate({ from: '/screens/$screenId' });
  const asked = parseMoment(useSearch({ from: '/shell/screens/$screenId' }).at);
  const { timezone: zone, wall } = placement;
  const moment = asked ?? momentOf(now, zone);
  const instant = asked ? instantOf(asked, zone) : now;
  const resolver = useMemo(() => createResolver(program, zone), [program, zone]);
  const scene = resolver.resolve(instant);
  const stretches = useMemo(() => stretchesOf(program, zone, moment.day), [program, zone, moment.day]);
  const hours = useMemo(() => ({ opening_hours: placement.hours ?? [], timezone: zone }), [placement.hours, zone]);
  const closed = useMemo(() => closedOn(hours, moment.day), [hours, moment.day]);
  const { open, until } = hoursAt(hours, instant);
  // For the present time, the screen itself has reported whether its panel is on.
  const isOn = asked ? open : (screen.screen_on ?? open);
  const size = pictureSize(screen, placement);
  const ask = (to: Moment | undefined) =>
    void navigate({ search: to ? { at: momentText(to) } : {}, replace: true, resetScroll: false });
  const closedWords = (opens: number | null) =>
    opens === null ? t('hours.closed') : t('hours.closedUntil', { when: laterInWords(opens, instant, zone, locale) });
  const said = `${writeDay(locale, moment.day)}, ${writeTime(locale, moment.minute * MINUTE_MS)}`;
  return (
    <>
      <div className="moment">
        <TextField
          label={t('playbackPreview.day')}
          type="date"
          value={dateText(moment)}
          onChange={(date) => ask(withDate(moment, date))}
        />
        <TextField
          label={t('playbackPreview.time')}
          type="time"
          value={timeText(moment)}
          onChange={(time) => ask(withTime(moment, time))}
        />
        <Button icon={Clock} isDisabled={!asked} onPress={() => ask(undefined)}>
          {t('playbackPreview.now')}
        </Button>
        <p className="moment-zone">{t('schedule.zoneOf', { zone: zone.replaceAll('_', ' ') })}</p>
      </div>
      <DaySlider
        stretches={stretches}
        closed={closed}
        moment={moment}
        said={said}
        onChange={(minute) => ask({ ...moment, minute })}
      />
      <div className="then">
        <div className={size.width >= size.height ? 'then-picture' : 'then-picture upright'}>
          <ScenePicture
            width={size.width}
            height={size.height}
            shown={isOn ? scene.zones.map(({ zone: part, cue }) => ({ zone: part, item: cue?.item ?? null })) : []}
            label={t('playbackPreview.picture', { when: said })}
          >
            {wall && (
              <span
                className="then-tile"
                style={{
                  left: `${(wall.tile.x / wall.canvas.width) * 100}%`,
                  top: `${(wall.tile.y / wall.canvas.height) * 100}%`,
                  width: `${(wall.tile.width / wall.canvas.width) * 100}%`,
                  height: `${(wall.tile.height / wall.canvas.height) * 100}%`,
                }}
              />
            )}
          </ScenePicture>
          {wall && <small>{t('playbackPreview.wallPart')}</small>}
        </div>
        {isOn ? (
          <Reasons
            screenId={screen.id}
            program={program}
            zone={zone}
            instant={instant}
            scene={scene}
            lead={open ? undefined : t('hours.turnedOn')}
          />
        ) : (
          <div className="reasons">
            <p>{asked ? closedWords(until) : <PanelOff screen={screen} />}</p>
            {hours.opening_hours.length > 0 && (
              <p className="field-hint">
                {t('hours.onAt', { hours: blocksInWords(hours.opening_hours, { t, locale }) })}
              </p>
            )}
          </div>
        )}
      </div>
    </>
  );
}

const MARKS = [0, 6, 12, 18, 24];

type DaySliderProps = {
  stretches: readonly Stretch[];
  closed: readonly Closed[];
  moment: Moment;
  said: string;
  onChange: (minute: number) => void;
};

function DaySlider({ stretches, closed, moment, said, onChange }: DaySliderProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  return (
    <div className="day-slider" style={{ '--at': moment.minute / 1440 } as CSSProperties}>
      <div className="day-stretches" aria-hidden>
        {stretches.map(({ schedule, from, to }) => (
          <span
            key={from}
            className={schedule ? 'planned' : undefined}
            style={
              {
                left: `${from * 100}%`,
                width: `${(to - from) * 100}%`,
                ...(schedule && { '--c': colourOf(schedule) }),
              } as CSSProperties
            }
            title={schedule ? schedule.title || t('schedule.untitled') : undefined}
          >
            {schedule && <b className="truncate">{schedule.title || t('schedule.untitled')}</b>}
          </span>
        ))}
        {closed.map(({ from, to }) => (
          <span
            key={`closed ${from}`}
            className="closed"
            style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
            title={t('hours.off')}
          />
        ))}
      </div>
      <input
        type="range"
        min={0}
        max={1439}
        step={5}
        value={moment.minute}
        aria-label={t('playbackPreview.slider')}
        aria-valuetext={said}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <div className="day-marks" aria-hidden>
        {MARKS.map((hour) => (
          <span key={hour}>{writeTime(locale, (hour % 24) * 60 * MINUTE_MS + DAY_MS)}</span>
        ))}
      </div>
    </div>
  );
}
