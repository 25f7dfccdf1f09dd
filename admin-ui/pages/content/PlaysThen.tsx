import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { parseLocal } from '../../../shared/program/civil.ts';
import type { Placement, Program } from '../../../shared/program/program.ts';
import { resolve } from '../../../shared/program/resolve.ts';
import { toInstant } from '../../../shared/program/zones.ts';
import { contentUsageQuery } from '../../api/files/content.ts';
import { programQuery } from '../../api/screens.ts';

/** Maximum number of screens in the answer, since each screen needs a request for its program. */
const SCREENS = 8;

/** Returns what a screen shows in its largest zone when a content expires; null for nothing. */
const showsAt = ({ program, placement }: { program: Program; placement: Placement }, minute: string): string | null => {
  const at = toInstant(parseLocal(`${minute}:00`), placement.timezone);
  const [main] = resolve(program, placement.timezone, at)
    .zones.filter(({ cue }) => cue !== null)
    .toSorted((a, b) => b.zone.width * b.zone.height - a.zone.width * a.zone.height);
  return main?.cue?.item.name ?? null;
};

/** Says what the screens with this content show after its expiry. Uses the function with which players compute it. */
export function PlaysThen({ content, until }: { content: Content; until: string }) {
  const { t } = useTranslation();
  const screens = (useQuery(contentUsageQuery(content.id)).data?.screens ?? []).slice(0, SCREENS);
  const programs = useQueries({ queries: screens.map(({ id }) => programQuery(id)) });
  const counts = new Map<string | null, number>();
  for (const { data } of programs) {
    if (!data) continue;
    const what = showsAt(data, until);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  return (
    <p className="field-hint">
      {t('content.validity.afterwards')}:{' '}
      {[...counts]
        .toSorted(([, a], [, b]) => b - a)
        .map(([what, count]) =>
          t('content.validity.afterwardsOn', { what: what ?? t('content.validity.afterwardsNothing'), count }),
        )
        .join(', ')}
    </p>
  );
}
