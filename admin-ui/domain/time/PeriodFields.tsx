import { useTranslation } from 'react-i18next';
import { formatDate, parseDate } from '../../../shared/program/civil.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import './PeriodFields.css';
import { isoDays, type Range, rangeNames } from './period.utils.ts';

/** Periods that users request most. Each has its own button. */
const QUICK = ['lastMonth', 'thisMonth'] as const;
/** Earliest selectable day. Excludes years that are still being typed, such as 0002. */
const EARLIEST = parseDate('2000-01-01');

type PeriodFieldsProps = {
  range: Range;
  /** Changes the period in the address of the page (rangeFrom). */
  onShow: (change: { range?: string | undefined; from?: string | undefined; to?: string | undefined }) => void;
};

/** Fields for the period of a report: a named period, or a first and a last day. */
export function PeriodFields({ range, onShow }: PeriodFieldsProps) {
  const { t } = useTranslation();
  const { start, end } = isoDays(range);
  const chooseDay = (which: 'from' | 'to', text: string) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return;
    const day = parseDate(text);
    if (day < EARLIEST) return;
    // An end before the start moves the start to the end, and a start after the end moves the end.
    const next =
      which === 'from'
        ? { start: day, end: Math.max(day, range.end) }
        : { start: Math.min(day, range.start), end: day };
    onShow({ from: formatDate(next.start), to: formatDate(next.end) });
  };
  return (
    <>
      <div className="report-period">
        <Select
          label={t('reports.range')}
          value={range.name}
          options={rangeNames.map((value) => ({ value, label: t(`reports.ranges.${value}`) }))}
          onChange={(name) =>
            onShow(name === 'custom' ? { from: start, to: end } : { range: name, from: undefined, to: undefined })
          }
        />
        <div className="report-quick">
          {QUICK.map((name) => (
            <Button
              key={name}
              size="small"
              variant="quiet"
              isDisabled={range.name === name}
              onPress={() => onShow({ range: name, from: undefined, to: undefined })}
            >
              {t(`reports.ranges.${name}`)}
            </Button>
          ))}
        </div>
      </div>
      {range.name === 'custom' && (
        <>
          <TextField label={t('reports.from')} type="date" value={start} onChange={(text) => chooseDay('from', text)} />
          <TextField label={t('reports.to')} type="date" value={end} onChange={(text) => chooseDay('to', text)} />
        </>
      )}
    </>
  );
}
