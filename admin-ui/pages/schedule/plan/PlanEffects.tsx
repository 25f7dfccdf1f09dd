import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { NewPlan, PlanOccurrence, PlanPreview, PlanWarning } from '../../../../shared/contract/screens/plans.ts';
import { DAY_MS, dayOf, parseLocal } from '../../../../shared/program/civil.ts';
import { planPreviewQuery } from '../../../api/plans.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Notice } from '../../../components/frame/Page.tsx';
import { useDebounced } from '../../../components/hooks/useDebounced.ts';
import { PlaybackProblems } from '../../../domain/content/PlaybackProblems.tsx';
import { meantBy, timesOf, type When } from '../../../domain/time/when.utils.ts';
import { hoursInWords, sentenceOf } from '../../../domain/time/words.utils.ts';
import { writeDay } from '../../../i18n/civil.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { type Draft, planOf } from './form.utils.ts';

/** Milliseconds after the last keystroke until a preview is requested. */
const SETTLED_MS = 250;
const SHOWN = 5;
/** Warnings that show a probable mistake. They are shown as errors. */
const BAD: readonly PlanWarning[] = ['overlaps_itself', 'never', 'past'];

type PlanEffectsProps = { draft: Draft; planId: string | null; onMeant: (when: When) => void };

/** Summary and effect of a plan while it is being edited. */
export function PlanEffects({ draft, planId, onMeant }: PlanEffectsProps) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const made = planOf(draft);
  const settled = useDebounced(JSON.stringify('body' in made ? made.body : null), SETTLED_MS);
  const body = JSON.parse(settled) as NewPlan | null;
  const asked = useQuery({ ...planPreviewQuery(body ?? EMPTY, planId), enabled: body !== null });
  // A preview of an earlier draft does not apply to an incomplete draft.
  const preview = body === null ? undefined : asked.data;
  const when = timesOf(draft.when);
  const screens = preview?.screens;
  const where = screens === undefined ? '' : t('schedule.said.on', { count: screens });
  const year = new Date().getFullYear();
  return (
    <aside className="plan-effects" aria-label={t('schedule.effects')}>
      {'times' in when && (
        <p className="plan-sentence" role="status">
          {sentenceOf(when.times, { t, locale, where, year })}
        </p>
      )}
      {body && <PlanPlayback body={body} />}
      {preview ? (
        <Effects preview={preview} draft={draft} onMeant={onMeant} />
      ) : (
        <p className="field-hint">
          {asked.isError ? asked.error.message : 'times' in when ? t('schedule.effectsLater') : ''}
        </p>
      )}
    </aside>
  );
}

/** Lists the plan's screens that cannot play the content of the plan. */
function PlanPlayback({ body: { content_id, playlist_id, layout_id, targets } }: { body: NewPlan }) {
  if (targets.length === 0) return null;
  return (
    <>
      {content_id && <PlaybackProblems question={{ content_id, targets }} />}
      {playlist_id && <PlaybackProblems question={{ playlist_id, targets }} />}
      {layout_id && <PlaybackProblems question={{ layout_id, targets }} />}
    </>
  );
}

const EMPTY: NewPlan = { start_time: '', end_time: '', targets: [] };

function Effects({ preview, draft, onMeant }: { preview: PlanPreview; draft: Draft; onMeant: (when: When) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const meant = meantBy(draft.when);
  const day = (epoch: number) => format.date(epoch);
  const { screens, off_screens, displaces, hidden_by, warnings, next, occurrences } = preview;
  const nameOf = ({ kind, name, rank }: PlanPreview['displaces'][number]) =>
    rank === null ? name || t(`schedule.displaced.${kind}`) : t('held.campaign', { name });
  return (
    <>
      {warnings.map((warning) => (
        <Notice
          key={warning}
          tone={BAD.includes(warning) ? 'bad' : 'warn'}
          title={t(`schedule.warning.${warning}`)}
          actions={
            warning === 'overlaps_itself' &&
            meant && (
              <Button size="small" onPress={() => onMeant(meant)}>
                {t('schedule.useThat')}
              </Button>
            )
          }
        >
          {warning === 'overlaps_itself' && meant ? <Meant when={meant} /> : t(`schedule.warningHelp.${warning}`)}
        </Notice>
      ))}
      {off_screens > 0 && off_screens < screens && (
        <Notice tone="warn" title={t('schedule.offScreens', { count: off_screens })} />
      )}
      {next.length > 0 && (
        <section>
          <h3>
            {t('schedule.next')}
            {occurrences !== null && <small>{t('schedule.nextOf', { count: occurrences })}</small>}
          </h3>
          <ol className="plan-next">
            {next.map((occurrence) => (
              <li key={occurrence.start_epoch}>
                <NextOccurrence occurrence={occurrence} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {hidden_by.length > 0 && (
        <section className="plan-hidden">
          <h3>{t('schedule.hiddenBy')}</h3>
          <ul>
            {hidden_by.slice(0, SHOWN).map((by) => (
              <li key={by.plan_id}>
                <strong>
                  {by.rank === null
                    ? by.title || t('schedule.untitled')
                    : t('held.campaignRank', { name: by.title, rank: t(`held.rankShort.${by.rank}`) })}
                </strong>
                <small>
                  {t(by.always ? 'schedule.hiddenAlways' : 'schedule.hiddenFrom', {
                    screens: t('common.screens', { count: by.screens }),
                    day: day(by.first_epoch),
                  })}
                </small>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>{t('schedule.displaces')}</h3>
        {displaces.length === 0 && <p className="field-hint">{t('schedule.displacesNothing')}</p>}
        <ul>
          {displaces.slice(0, SHOWN).map((one) => (
            <li key={`${one.kind} ${one.id}`}>
              <strong>{nameOf(one)}</strong>
              <small>
                {t('schedule.displacedOn', {
                  screens: t('common.screens', { count: one.screens }),
                  day: day(one.first_epoch),
                })}
              </small>
            </li>
          ))}
        </ul>
        {displaces.length > SHOWN && (
          <p className="field-hint">{t('schedule.andMore', { count: displaces.length - SHOWN })}</p>
        )}
      </section>
    </>
  );
}

function Meant({ when }: { when: When }) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const said = timesOf(when);
  if ('mistake' in said) return null;
  return t('schedule.didYouMean', {
    said: sentenceOf(said.times, { t, locale, where: '', year: new Date().getFullYear() }),
  });
}

function NextOccurrence({ occurrence: { start, end } }: { occurrence: PlanOccurrence }) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const [from, to] = [parseLocal(start), parseLocal(end)];
  const day = (local: number) => writeDay(locale, dayOf(local), { weekday: 'short', day: 'numeric', month: 'short' });
  const hours = hoursInWords(from, to, { t, locale });
  if (to - from <= DAY_MS)
    return (
      <>
        <span>{day(from)}</span> <span>{hours}</span>
      </>
    );
  return (
    <>
      <span>
        {day(from)} – {day(from % DAY_MS === 0 && to % DAY_MS === 0 ? to - DAY_MS : to)}
      </span>{' '}
      <span>{to % DAY_MS === 0 && from % DAY_MS === 0 ? t('schedule.hoursThrough') : hours}</span>
    </>
  );
}
