import { useQuery } from '@tanstack/react-query';
import { Copy, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  MAX_PLAN_TARGETS,
  type NewPlan,
  type PlanChange,
  type PlanTarget,
} from '../../../../shared/contract/screens/plans.ts';
import { useKeptDraft } from '../../../api/editing/useKeptDraft.ts';
import { layoutsQuery } from '../../../api/layouts.ts';
import { firstZoneQuery } from '../../../api/plans.ts';
import { screenQuery } from '../../../api/screens.ts';
import { useCanShow, useHasAllScreens } from '../../../api/session/me.ts';
import { Switch } from '../../../components/choices/Choices.tsx';
import { RadioCards } from '../../../components/choices/RadioCards.tsx';
import { Select } from '../../../components/choices/Select.tsx';
import type { Option } from '../../../components/choices/SelectFrame.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/controls/Dialog.tsx';
import { AmountField } from '../../../components/fields/AmountField.tsx';
import { Swatches } from '../../../components/fields/Swatches.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { TimeZoneField } from '../../../components/fields/TimeZoneField.tsx';
import { ConflictNotice } from '../../../components/frame/SaveBar.tsx';
import { serverNow } from '../../../components/hooks/serverClock.ts';
import { useHistory } from '../../../components/hooks/useHistory.ts';
import { SubjectPicker } from '../../../domain/content/SubjectPicker.tsx';
import { Explained } from '../../../domain/records/TermHelp.tsx';
import { layoutInWords } from '../../../domain/records/templateName.ts';
import { KeptNotice } from '../../../domain/saving/KeptNotice.tsx';
import { PLAN_COLOURS } from '../../../domain/screens/planColours.ts';
import { type Target, TargetPicker } from '../../../domain/screens/TargetPicker.tsx';
import { ReportLink } from '../../../domain/time/ReportLink.tsx';
import { WhenFields } from '../../../domain/time/WhenFields.tsx';
import {
  changeOf,
  type Draft,
  type DraftTarget,
  planOf,
  STRENGTHS,
  type Strength,
  type Subject,
  strengthOf,
} from './form.utils.ts';
import { PlanEffects } from './PlanEffects.tsx';
import './plan.css';

/** Returns the present month as YYYY-MM. A plan that began this month has no report of the previous month. */
const thisMonth = (): string => new Date(serverNow()).toISOString().slice(0, 7);
/**
 * Kinds of content that users who need approval may choose: a playlist has been approved when it was published, and
 * a layout is approved zone by zone.
 */
const APPROVED = ['playlist', 'layout'] as const;
/**
 * Kinds of targets that users with rights for some groups may choose. Tags are excluded, because any screen may get
 * the tag later.
 */
const OWN = ['group', 'device'] as const;

/** Excludes "all screens", which is not a target of plans. */
const isDraftTarget = (target: Target): target is Target & DraftTarget => target.kind !== 'all';

type PlanDialogProps = {
  /** Id and ETag of an existing plan; null for a new plan. */
  plan: { readonly id: string; readonly etag: string | undefined } | null;
  initial: Draft;
  isPending: boolean;
  /** Creates the plan. `done` is called when the plan is saved. */
  onCreate: (body: NewPlan, done: () => void) => void;
  /** Saves changes. `ifMatch`: ETag of the version that was changed. */
  onChange: (change: PlanChange, ifMatch: string | undefined, done: () => void) => void;
  onDelete: () => void;
  /** Copies the plan as it is stored. */
  onDuplicate?: () => void;
  onClose: () => void;
};

/** Dialog with the form of a plan: content, screens, time and priority, and the effect beside the form. */
export function PlanDialog({
  plan,
  initial,
  isPending,
  onCreate,
  onChange,
  onDelete,
  onDuplicate,
  onClose,
}: PlanDialogProps) {
  const { t } = useTranslation();
  const history = useHistory(initial, plan?.etag);
  const kept = useKeptDraft({
    place: `plans/${plan?.id ?? 'new'}`,
    value: history.value,
    changed: history.dirty,
    base: history.base,
    restore: history.restore,
  });
  const close = () => {
    kept.drop();
    onClose();
  };
  const canShow = useCanShow();
  const hasAll = useHasAllScreens();
  const zone = useZone(history.value);
  const draft = { ...history.value, timezone: zone };
  const change = (part: Partial<Draft>) => history.change((now) => ({ ...now, ...part }));
  const [asked, setAsked] = useState(false);
  const made = planOf(draft);
  const mistake = asked && 'mistake' in made ? made.mistake : null;
  const submit = () => {
    setAsked(true);
    if ('mistake' in made || history.conflict) return;
    if (plan === null) onCreate(made.body, kept.drop);
    else onChange(changeOf(made.body, draft, initial), history.ifMatch, kept.drop);
  };
  return (
    <Dialog
      title={plan === null ? t('schedule.new') : t('schedule.editTitle')}
      size="wide"
      onClose={close}
      onSubmit={submit}
      actions={
        <>
          {plan !== null && (
            <span className="foot-start">
              <Button
                icon={Trash2}
                variant="danger-quiet"
                onPress={() => {
                  kept.drop();
                  onDelete();
                }}
              >
                {t('common.delete')}
              </Button>
              {onDuplicate && (
                <Button icon={Copy} variant="quiet" isDisabled={history.dirty} onPress={onDuplicate}>
                  {t('find.duplicate')}
                </Button>
              )}
              <ReportLink
                of={{ kind: 'plan', id: plan.id }}
                range={initial.when.first >= thisMonth() ? 'thisMonth' : 'lastMonth'}
              />
            </span>
          )}
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={history.conflict}>
            {plan === null ? t('schedule.create') : t('common.save')}
          </Button>
        </>
      }
    >
      <KeptNotice offer={kept.offer} />
      <ConflictNotice draft={history} words="draft" />
      <div className="plan-form">
        <Part title={t('schedule.what')}>
          <SubjectPicker
            label={t('schedule.show')}
            {...(!canShow && { kinds: APPROVED, hint: t('approval.neededPlan') })}
            value={draft.subject}
            onChange={(subject) => change({ subject: subject as Subject | null })}
            autoFocus={plan === null}
            isInvalid={mistake === 'needShow'}
          />
          {mistake === 'needShow' && <Mistake>{t('schedule.mistake.needShow')}</Mistake>}
        </Part>
        <Part title={t('schedule.where')}>
          <TargetPicker
            label={t('schedule.on')}
            {...(!hasAll && { kinds: OWN })}
            value={draft.targets}
            onChange={(targets) => change({ targets: targets.filter(isDraftTarget) })}
            isInvalid={mistake === 'needTargets'}
            max={MAX_PLAN_TARGETS}
          />
          {mistake === 'needTargets' && <Mistake>{t('schedule.mistake.needTargets')}</Mistake>}
        </Part>
        <Part title={t('schedule.when')}>
          <WhenFields
            when={draft.when}
            onChange={(when) => change({ when })}
            error={
              mistake === null || mistake === 'needShow' || mistake === 'needTargets'
                ? undefined
                : t(`schedule.mistake.${mistake}`)
            }
          />
        </Part>
        <PlanEffects draft={draft} planId={plan?.id ?? null} onMeant={(when) => change({ when })} />
        <StrengthField draft={draft} onChange={(priority) => change({ priority })} />
        <NameFields draft={draft} change={change} />
      </div>
    </Dialog>
  );
}

const NOBODY: PlanTarget = { kind: 'device', id: '' };

/** Returns the chosen time zone, otherwise the time zone of the first target's first screen; empty while unknown. */
const useZone = ({ timezone, targets: [first] }: Draft): string => {
  const isAsked = timezone === '' && first !== undefined;
  const found = useQuery({ ...firstZoneQuery(first ?? NOBODY), enabled: isAsked }).data;
  return timezone || (isAsked && found) || '';
};

function Mistake({ children }: { children: string }) {
  return (
    <p className="field-error" role="alert">
      {children}
    </p>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="plan-part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

type Fields = { draft: Draft; change: (part: Partial<Draft>) => void };
const NONE = '';

/** Fields for layout and zone of the content. For a single screen, the layout of the screen is preselected. */
function PlaceFields({ draft, change }: Fields) {
  const { t } = useTranslation();
  const layouts = (useQuery(layoutsQuery).data ?? []).map((layout) => layoutInWords(layout, t));
  const [only, ...others] = draft.targets;
  const screenId = only?.kind === 'device' && others.length === 0 ? only.id : null;
  const screen = useQuery({ ...screenQuery(screenId ?? ''), enabled: screenId !== null }).data?.screen;
  if (draft.subject?.kind === 'layout') return null;
  const zones = layouts.find(({ id }) => id === (draft.layoutId ?? screen?.layout_id))?.zones ?? [];
  const layoutOptions: Option<string>[] = [
    { value: NONE, label: t('schedule.layoutStays'), hint: t('schedule.layoutStaysHint') },
    ...layouts.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className="pair">
      <Select
        label={t('bulk.layout')}
        value={draft.layoutId ?? NONE}
        onChange={(id) => change({ layoutId: id || null, zoneId: null })}
        options={layoutOptions}
      />
      {(zones.length > 1 || draft.zoneId !== null) && (
        <Explained term="zone">
          <Select
            label={t('schedule.zone')}
            value={draft.zoneId ?? NONE}
            onChange={(id) => change({ zoneId: id || null })}
            options={[
              { value: NONE, label: t('schedule.zoneAll') },
              ...zones.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Explained>
      )}
    </div>
  );
}

const OTHER = 'other';

function StrengthField({ draft, onChange }: { draft: Draft; onChange: (priority: number) => void }) {
  const { t } = useTranslation();
  const strength = strengthOf(draft.priority);
  const words = Object.keys(STRENGTHS) as Strength[];
  return (
    <section className="plan-part">
      <Explained term="priority">
        <RadioCards<Strength | typeof OTHER>
          label={t('schedule.strength')}
          value={strength ?? OTHER}
          onChange={(word) => word !== OTHER && onChange(STRENGTHS[word])}
          options={[
            ...words.map((value) => ({
              value,
              label: t(`schedule.strengthOf.${value}`),
              hint: t(`schedule.strengthHint.${value}`),
            })),
            ...(strength === null ? [{ value: OTHER, label: t('schedule.strengthOf.other') } as const] : []),
          ]}
        />
      </Explained>
      {strength === null && (
        <AmountField
          label={t('schedule.priorityField')}
          value={draft.priority}
          min={-1000}
          max={1000}
          onChange={onChange}
        />
      )}
      {draft.targets.some(({ kind }) => kind === 'group') && (
        <p className="field-hint">{t('schedule.strengthOfGroups')}</p>
      )}
    </section>
  );
}

function NameFields({ draft, change }: Fields) {
  const { t } = useTranslation();
  return (
    <section className="plan-part">
      <TextField
        label={t('common.name')}
        hint={t('schedule.nameHint')}
        value={draft.title}
        onChange={(title) => change({ title })}
        maxLength={200}
      />
      <Swatches
        label={t('schedule.colour')}
        colours={PLAN_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))}
        value={draft.color}
        onChange={(color) => change({ color })}
      />
      <PlaceFields draft={draft} change={change} />
      <TimeZoneField
        // The field is created anew when a time zone is set or cleared: its list contains the first time zone of the
        // field, which Intl may not know.
        key={draft.timezone === '' ? 'none' : 'one'}
        label={t('screen.timezone')}
        hint={t('schedule.zoneOfScreen')}
        value={draft.timezone}
        onChange={(timezone) => change({ timezone })}
      />
      <Switch isSelected={draft.enabled} onChange={(enabled) => change({ enabled })} hint={t('schedule.enabledHint')}>
        {t('schedule.enabled')}
      </Switch>
    </section>
  );
}
