import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schedule } from '../../../shared/contract/schedules.ts';
import { DAY_MS, dayOf } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { Notice } from '../../components/Page.tsx';
import { layoutsQuery } from '../../data/layouts.ts';
import { inForceQuery } from '../../data/schedules.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { useSubjectNames } from '../../parts/useSubjectNames.ts';
import { type Draft, startOf, toSchedule } from './form.utils.ts';
import { type Overruled, overruledIn } from './overruled.utils.ts';

const WEEKS_MS = 28 * DAY_MS;
const SHOWN = 4;

/** What the plan would overrule, and what would overrule it, before it is made. The draft has no mistake. */
export function Conflicts({
  draft,
  zone,
  baseLayoutId,
  now,
}: {
  draft: Draft;
  zone: string;
  baseLayoutId: string | null;
  now: number;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const planned = useQuery(inForceQuery(draft.target)).data ?? [];
  const layouts = useQuery(layoutsQuery).data ?? [];
  const names = useSubjectNames(planned);
  const own = toSchedule(draft, now / 1000);
  const others = planned.filter((s) => s.id !== draft.id);
  const from = Math.max(now, (startOf(draft) ?? now) - DAY_MS);
  const found = overruledIn({ schedules: [...others, own], layouts, baseLayoutId }, from, from + WEEKS_MS);
  const nameOf = (id: string) => {
    const other = others.find((s) => s.id === id);
    return (other && (other.title || names(other))) || t('schedule.untitled');
  };
  const whenOf = (span: Overruled): string => {
    const [a, b] = [toLocal(span.from, zone), toLocal(span.to, zone)];
    return `${writeDay(locale, dayOf(a), { weekday: 'short', day: 'numeric', month: 'short' })} ${writeTime(locale, a)} – ${writeTime(locale, b)}`;
  };
  const line = (span: Overruled, key: 'losesTo' | 'beats', other: Schedule['id']) => ({
    at: span.from,
    lost: key === 'losesTo',
    text: t(`schedule.${key}`, { when: whenOf(span), name: nameOf(other), why: t(`schedule.because.${span.because}`) }),
  });
  const lines = [
    ...(found.get(own.id) ?? []).map((span) => line(span, 'losesTo', span.by)),
    ...others.flatMap((other) =>
      (found.get(other.id) ?? []).filter((span) => span.by === own.id).map((span) => line(span, 'beats', other.id)),
    ),
  ].sort((a, b) => a.at - b.at);
  if (lines.length === 0) return <p className="field-hint">{t('schedule.noConflicts')}</p>;
  return (
    <Notice tone={lines.some((l) => l.lost) ? 'warn' : 'info'} title={t('schedule.conflicts')}>
      {lines.slice(0, SHOWN).map((l) => (
        <span key={l.text} className="conflict">
          {l.text}
        </span>
      ))}
      {lines.length > SHOWN && '…'}
    </Notice>
  );
}
