import { ChevronRight, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';
import { useTranslation } from 'react-i18next';
import { AmountField } from '../../components/AmountField.tsx';
import { Button } from '../../components/Button.tsx';
import { Switch } from '../../components/Choices.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { Swatches } from '../../components/Swatches.tsx';
import { TextField } from '../../components/TextField.tsx';
import { TimeZoneField } from '../../components/TimeZoneField.tsx';
import { targetKey, targetOf } from '../../data/targets.ts';
import { PLAN_COLOURS } from '../../parts/planColours.ts';
import { Conflicts } from './Conflicts.tsx';
import { type Draft, dayOfDraft, mistakeOf, withStart } from './form.utils.ts';
import { RepeatFields } from './RepeatFields.tsx';
import { SubjectFields } from './SubjectFields.tsx';
import type { Targets } from './useScheduleData.ts';

type ScheduleDialogProps = {
  initial: Draft;
  targets: Targets;
  isPending: boolean;
  onSave: (draft: Draft) => void;
  onDelete: () => void;
  onClose: () => void;
};

export function ScheduleDialog({ initial, targets, isPending, onSave, onDelete, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(initial);
  const [asked, setAsked] = useState(false);
  const [opened] = useState(Date.now);
  const rest = useId();
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const mistake = mistakeOf(draft);
  const day = dayOfDraft(draft);
  const screen = draft.target.kind === 'screen' ? targets.screens.find((s) => s.id === draft.target.id) : undefined;
  const baseLayoutId = screen?.layout_id ?? null;
  const retarget = (key: string) => {
    const target = targetOf(key);
    if (!target) return;
    const zone = targets.screens.find((s) => s.id === target.id)?.timezone;
    change({ target, zone_id: null, ...(zone !== undefined && { timezone: zone }) });
  };
  const submit = () => {
    setAsked(true);
    if (mistake === null) onSave(draft);
  };
  return (
    <Dialog
      title={draft.id === null ? t('schedule.new') : t('schedule.editTitle')}
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          {draft.id !== null && (
            <span className="foot-start">
              <Button icon={Trash2} variant="danger-quiet" onPress={onDelete}>
                {t('common.delete')}
              </Button>
            </span>
          )}
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {draft.id === null ? t('schedule.create') : t('common.save')}
          </Button>
        </>
      }
    >
      <SubjectFields
        draft={draft}
        change={change}
        baseLayoutId={baseLayoutId}
        mistake={asked && mistake === 'needShow' ? t('schedule.needShow') : undefined}
      />
      <div className="when">
        <TextField
          label={t('schedule.startDate')}
          type="date"
          value={draft.startDate}
          onChange={(startDate) => setDraft((now) => withStart(now, { startDate }))}
        />
        <TextField
          label={t('reports.from')}
          type="time"
          value={draft.startTime}
          onChange={(startTime) => setDraft((now) => withStart(now, { startTime }))}
        />
        <TextField
          label={t('reports.to')}
          type="time"
          value={draft.endTime}
          onChange={(endTime) => change({ endTime })}
        />
        <TextField
          label={t('schedule.endDate')}
          type="date"
          value={draft.endDate}
          onChange={(endDate) => change({ endDate })}
        />
      </div>
      {asked && mistake !== null && mistake !== 'needShow' && (
        <p className="field-error" role="alert">
          {t(`schedule.${mistake}`)}
        </p>
      )}
      {day !== undefined && <RepeatFields repeat={draft.repeat} day={day} onChange={(repeat) => change({ repeat })} />}
      <TextField
        label={t('common.name')}
        hint={t('schedule.nameHint')}
        value={draft.title}
        onChange={(title) => change({ title })}
        maxLength={200}
      />
      <Disclosure className="more" defaultExpanded={draft.priority !== 0 || !draft.enabled}>
        <Heading level={3}>
          <AriaButton slot="trigger">
            <ChevronRight aria-hidden />
            {t('schedule.more')}
          </AriaButton>
        </Heading>
        <DisclosurePanel id={rest}>
          <div className="form">
            <AmountField
              label={t('schedule.priorityField')}
              hint={t('schedule.priorityHint')}
              value={draft.priority}
              min={-1000}
              max={1000}
              onChange={(priority) => change({ priority })}
            />
            <Swatches
              label={t('schedule.colour')}
              colours={PLAN_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))}
              value={draft.color}
              onChange={(color) => change({ color })}
            />
            <div className="pair">
              <Select
                label={t('schedule.for')}
                value={targetKey(draft.target)}
                onChange={retarget}
                options={[
                  ...targets.screens.map((s) => ({
                    value: targetKey({ kind: 'screen', id: s.id }),
                    label: s.name,
                    hint: t('activity.screen'),
                  })),
                  ...targets.groups.map((g) => ({
                    value: targetKey({ kind: 'group', id: g.id }),
                    label: g.name,
                    hint: t('schedule.ofGroup'),
                  })),
                ]}
              />
              <TimeZoneField
                label={t('screen.timezone')}
                value={draft.timezone}
                onChange={(timezone) => change({ timezone })}
              />
            </div>
            <Switch
              isSelected={draft.enabled}
              onChange={(enabled) => change({ enabled })}
              hint={t('schedule.enabledHint')}
            >
              {t('schedule.enabled')}
            </Switch>
          </div>
        </DisclosurePanel>
      </Disclosure>
      {mistake === null && draft.enabled && (
        <Conflicts draft={draft} zone={draft.timezone} baseLayoutId={baseLayoutId} now={opened} />
      )}
    </Dialog>
  );
}
