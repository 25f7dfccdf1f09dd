/** Converts a plan between the form (content, screens, time, priority) and the server. */
import type { NewPlan, Plan, PlanChange, PlanTarget } from '../../../../shared/contract/screens/plans.ts';
import { colourOf } from '../../../domain/screens/planColours.ts';
import { timesOf, type When, type WhenMistake, whenOf } from '../../../domain/time/when.utils.ts';

export type SubjectKind = 'playlist' | 'content' | 'widget' | 'layout';
export type Subject = { readonly kind: SubjectKind; readonly id: string };

/** A target of the draft, with its name for the target field. */
export interface DraftTarget {
  readonly kind: PlanTarget['kind'];
  readonly id: string;
  readonly name: string;
  /** Number of screens; undefined if unknown. */
  readonly screens?: number | undefined;
}

export interface Draft {
  readonly subject: Subject | null;
  /** Id of a layout to show on the whole screen; null keeps the layout of the screen. */
  readonly layoutId: string | null;
  /** Id of the zone; null for the whole screen. */
  readonly zoneId: string | null;
  readonly targets: readonly DraftTarget[];
  readonly when: When;
  readonly title: string;
  /** Time zone of the plan; empty for the time zone of the first screen. */
  readonly timezone: string;
  readonly priority: number;
  readonly color: string;
  readonly enabled: boolean;
}

/** Named priorities. Where plans overlap, the higher priority wins. */
export const STRENGTHS = { normal: 0, before: 100, urgent: 1000 } as const;
export type Strength = keyof typeof STRENGTHS;
/** Returns the name of a priority; null for other numbers from API clients. */
export const strengthOf = (priority: number): Strength | null =>
  (Object.keys(STRENGTHS) as Strength[]).find((word) => STRENGTHS[word] === priority) ?? null;

export const newDraft = (targets: readonly DraftTarget[], when: When, timezone = ''): Draft => ({
  subject: null,
  layoutId: null,
  zoneId: null,
  targets,
  when,
  title: '',
  timezone,
  priority: STRENGTHS.normal,
  color: '',
  enabled: true,
});

const subjectOf = ({ playlist_id, content_id, widget_id, layout_id }: Plan): Subject | null => {
  if (playlist_id) return { kind: 'playlist', id: playlist_id };
  if (content_id) return { kind: 'content', id: content_id };
  if (widget_id) return { kind: 'widget', id: widget_id };
  return layout_id ? { kind: 'layout', id: layout_id } : null;
};

export const draftOf = (plan: Plan): Draft => {
  const subject = subjectOf(plan);
  return {
    subject,
    layoutId: subject?.kind === 'layout' ? null : plan.layout_id,
    zoneId: plan.zone_id,
    targets: plan.targets,
    when: whenOf(plan),
    title: plan.title,
    timezone: plan.timezone,
    priority: plan.priority,
    color: plan.color ?? colourOf(plan),
    enabled: plan.enabled === 1,
  };
};

export type Mistake = 'needShow' | 'needTargets' | WhenMistake;

const shownBy = ({ subject, layoutId, zoneId }: Draft) => ({
  playlist_id: subject?.kind === 'playlist' ? subject.id : null,
  content_id: subject?.kind === 'content' ? subject.id : null,
  widget_id: subject?.kind === 'widget' ? subject.id : null,
  layout_id: subject?.kind === 'layout' ? subject.id : layoutId,
  zone_id: subject?.kind === 'layout' ? null : zoneId,
});

const plainTargets = ({ targets }: Draft): PlanTarget[] => targets.map(({ kind, id }) => ({ kind, id }));

/** Returns the complete plan, or the first missing value in the order of the form. */
export const planOf = (draft: Draft): { readonly body: NewPlan } | { readonly mistake: Mistake } => {
  if (draft.subject === null) return { mistake: 'needShow' };
  if (draft.targets.length === 0) return { mistake: 'needTargets' };
  const when = timesOf(draft.when);
  if ('mistake' in when) return when;
  return {
    body: {
      ...shownBy(draft),
      ...when.times,
      targets: plainTargets(draft),
      title: draft.title.trim(),
      ...(draft.timezone && { timezone: draft.timezone }),
      color: draft.color || null,
      priority: draft.priority,
      enabled: draft.enabled ? 1 : 0,
    },
  };
};

const SHOWN = ['playlist_id', 'content_id', 'widget_id', 'layout_id', 'zone_id'] as const;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the values for the request that differ from the plan as opened. Values from API clients that the form
 * cannot show stay as they are unless the user changed them.
 */
export const changeOf = (body: NewPlan, draft: Draft, before: Draft): PlanChange => {
  const { start_time: _s, end_time: _e, recurrence: _r, recurrence_end: _u, ...rest } = body;
  const change: Record<string, unknown> = isSame(draft.when, before.when) ? rest : { ...body };
  if (isSame(shownBy(draft), shownBy(before))) for (const key of SHOWN) delete change[key];
  if (isSame(plainTargets(draft), plainTargets(before))) delete change['targets'];
  for (const key of ['title', 'timezone', 'color', 'priority', 'enabled'] as const)
    if (draft[key] === before[key]) delete change[key];
  return change as PlanChange;
};
