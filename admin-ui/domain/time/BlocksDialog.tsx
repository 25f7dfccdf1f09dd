import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../components/choices/Choices.tsx';
import { announce } from '../../components/controls/announce.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import '../../components/fields/fields.css';
import { writeWeekday } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import './blocks.css';
import { type Block, blockInWords, newBlock, weekOf, wrongWith } from './blocks.utils.ts';

type BlocksDialogProps = {
  title: string;
  /** Explanation of the times, shown if there are any. */
  lead: ReactNode;
  /** Explanation for a list without times, which means "always". */
  always: ReactNode;
  /** Label of the button that adds the first time. */
  limit: string;
  /** Label of the button that saves the times. */
  keep: string;
  blocks: readonly Block[];
  /** True while the input in `children` is invalid. */
  isWrong?: boolean;
  /** True while the times are being saved. */
  isPending?: boolean;
  onSave: (blocks: Block[]) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Dialog for times of the week, optionally with dates: when an item plays, or when a screen is on. */
export function BlocksDialog({
  title,
  lead,
  always,
  limit,
  keep,
  blocks: before,
  isWrong = false,
  isPending = false,
  onSave,
  onClose,
  children,
}: BlocksDialogProps) {
  const { t } = useTranslation();
  const [blocks, setBlocks] = useState<readonly Block[]>(before);
  const wrong = isWrong || blocks.some(wrongWith);
  return (
    <FormDialog
      title={title}
      size="wide"
      onClose={onClose}
      onSubmit={() => !wrong && onSave([...blocks])}
      submit={keep}
      isDisabled={wrong}
      isPending={isPending}
    >
      <p>{blocks.length === 0 ? always : lead}</p>
      {blocks.map((block, at) => (
        <BlockEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a block has no identity but its place
          key={at}
          block={block}
          onChange={(part) => setBlocks(blocks.map((one, i) => (i === at ? { ...one, ...part } : one)))}
          onRemove={() => setBlocks(blocks.filter((_, i) => i !== at))}
        />
      ))}
      <div>
        <Button icon={Plus} size="small" onPress={() => setBlocks([...blocks, newBlock])}>
          {blocks.length === 0 ? limit : t('dayparts.addBlock')}
        </Button>
      </div>
      {children}
    </FormDialog>
  );
}

function BlockEditor({
  block,
  onChange,
  onRemove,
}: {
  block: Block;
  onChange: (part: Partial<Block>) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const wrong = wrongWith(block);
  const inWords = wrong ? t(`dayparts.wrong.${wrong}`) : blockInWords(block, { t, locale });
  const change = (part: Partial<Block>) => {
    onChange(part);
    const next = { ...block, ...part };
    const fault = wrongWith(next);
    announce(fault ? t(`dayparts.wrong.${fault}`) : blockInWords(next, { t, locale }));
  };
  const allDay = block.start === '00:00' && block.end === '24:00';
  const toggle = (day: number) =>
    change({
      days: block.days.includes(day) ? block.days.filter((d) => d !== day) : [...block.days, day].sort((a, b) => a - b),
    });
  return (
    <fieldset className="daypart">
      <legend className={wrong ? 'wrong' : undefined}>{inWords}</legend>
      <div className="daypart-days">
        {weekOf(locale).map((day) => (
          <button
            key={day}
            type="button"
            aria-pressed={block.days.includes(day)}
            aria-label={writeWeekday(locale, day)}
            onClick={() => toggle(day)}
          >
            {writeWeekday(locale, day, 'short')}
          </button>
        ))}
      </div>
      <div className="daypart-times">
        <Switch
          isSelected={allDay}
          onChange={(on) =>
            change(on ? { start: '00:00', end: '24:00' } : { start: newBlock.start, end: newBlock.end })
          }
        >
          {t('dayparts.wholeDay')}
        </Switch>
        {!allDay && (
          <Moment type="time" label={t('reports.from')} value={block.start} onChange={(start) => onChange({ start })} />
        )}
        {/* Midnight at the end of a day is 24:00, but the browser's field has only 00:00. */}
        {!allDay && (
          <Moment
            type="time"
            label={t('reports.to')}
            value={block.end === '24:00' ? '00:00' : block.end}
            onChange={(end) => onChange({ end: end === '00:00' ? '24:00' : end })}
          />
        )}
        <Moment
          type="date"
          label={t('schedule.startDate')}
          value={block.start_date ?? ''}
          onChange={(date) => onChange({ start_date: date || null })}
        />
        <Moment
          type="date"
          label={t('schedule.endDate')}
          value={block.end_date ?? ''}
          onChange={(date) => onChange({ end_date: date || null })}
        />
        <IconButton icon={Trash2} label={t('dayparts.removeBlock')} onPress={onRemove} />
      </div>
    </fieldset>
  );
}

function Moment({
  type,
  label,
  value,
  onChange,
}: {
  type: 'time' | 'date';
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type={type} className="input" value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
