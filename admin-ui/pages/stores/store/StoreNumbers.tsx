import { useTranslation } from 'react-i18next';
import { type Stat, StatFilter } from '../../../components/lists/StatFilter.tsx';
import { useFormat } from '../../../i18n/useFormat.ts';
import { numberShown, type StoresSearch } from '../stores.utils.ts';
import type { StoresData } from '../useStoresData.ts';

type Number = NonNullable<ReturnType<typeof numberShown>>;
/** Filter that each number sets. */
const ways: Record<Number, Pick<StoresSearch, 'line' | 'trouble'>> = {
  all: {},
  up: { line: 'up' },
  down: { line: 'down' },
  new: { line: 'new' },
  dark: { trouble: 'screens_dark' },
  any: { trouble: 'any' },
};

/** Key numbers of all stores. Each number is a link to its stores. */
export function StoreNumbers({ data }: { data: StoresData }) {
  const { t } = useTranslation();
  const format = useFormat();
  const counts = data.counts.data;
  const stat = (value: Number, amount: number | undefined, more?: string, tone?: 'warn' | 'bad'): Stat<Number> => ({
    value,
    label: t(`stores.number.${value}`),
    number: amount === undefined ? undefined : format.number(amount),
    more,
    tone: amount ? tone : undefined,
  });
  const share = (part: number) =>
    t('stores.ofStores', { share: format.percent(part / Math.max(1, counts?.stores ?? 0)) });
  return (
    <StatFilter
      label={t('stores.numbers')}
      value={numberShown(data.filter)}
      onChange={(value) =>
        data.look({
          q: undefined,
          region: undefined,
          tag: undefined,
          line: undefined,
          trouble: undefined,
          place: undefined,
          ...ways[value],
        })
      }
      stats={[
        stat(
          'all',
          counts?.stores,
          counts && counts.screens_total > 0
            ? t('stores.onlineOf', { online: counts.screens_online, total: counts.screens_total })
            : undefined,
        ),
        stat('up', counts?.line.up, counts && share(counts.line.up)),
        stat('down', counts?.line.down, counts && share(counts.line.down), 'bad'),
        stat('new', counts?.line.new, counts && share(counts.line.new)),
        stat(
          'dark',
          counts?.screens_dark,
          counts && t('stores.inStores', { count: counts.troubles.screens_dark }),
          'bad',
        ),
        stat('any', counts?.troubled, counts && share(counts.troubled), 'warn'),
      ]}
    />
  );
}
