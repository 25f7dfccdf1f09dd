/** A message in the editor. */
import {
  type Message,
  type MessageColors,
  type MessageTarget,
  type MessageTemplate,
  templateColors,
  usualDuration,
} from '../../../shared/contract/screens/messages.ts';
import type { OverlayArea } from '../../../shared/protocol/overlay-area.ts';
import { type ChosenTarget, EVERYWHERE } from '../../api/editing/composer.ts';

export interface MessageDraft {
  readonly template: MessageTemplate;
  readonly title: string;
  readonly text: string;
  /** Shown instead of the text. */
  readonly picture: { readonly id: string; readonly name: string } | null;
  /** Null: the last colours of this template, or its default. */
  readonly colors: MessageColors | null;
  /** Null: the default of the template. */
  readonly position: OverlayArea | null;
  /** Seconds; 0: until withdrawn; null: the default of the template. */
  readonly duration: number | null;
  readonly targets: readonly ChosenTarget[];
}

export const emptyDraft = (targets: readonly ChosenTarget[]): MessageDraft => ({
  template: 'notice',
  title: '',
  text: '',
  picture: null,
  colors: null,
  position: null,
  duration: null,
  targets: targets.length > 0 ? targets : [EVERYWHERE],
});

/** Returns seconds; 0: until withdrawn. */
export const durationOf = ({ duration, template }: MessageDraft): number => duration ?? usualDuration(template);

/** Seconds. */
export const messageDurations = [60, 300, 900, 3_600, 0] as const;

const usualPlace: Readonly<Record<MessageTemplate, OverlayArea>> = {
  notice: 'bottom',
  alarm: 'full',
  welcome: 'full',
  offer: 'bottom-right',
};
export const placeOf = ({ position, template, picture }: MessageDraft): OverlayArea =>
  position ?? (picture ? 'full' : usualPlace[template]);

/** The store's colours: those of the last message with this template. */
export const colorsOf = ({ colors, template }: MessageDraft, recent: readonly Message[]): MessageColors =>
  colors ?? recent.find((one) => one.template === template && one.colors)?.colors ?? templateColors[template];

export const hasContent = ({ title, text, picture }: MessageDraft): boolean =>
  picture !== null || title.trim() !== '' || text.trim() !== '';

/** The data of its page. */
export const drawnOf = (draft: MessageDraft, recent: readonly Message[]) => ({
  template: draft.template,
  title: draft.title.trim(),
  text: draft.picture ? '' : draft.text.trim(),
  colors: colorsOf(draft, recent),
});

/** The request body. */
export const messageBody = (draft: MessageDraft, recent: readonly Message[]) => ({
  ...drawnOf(draft, recent),
  ...(draft.picture && { content_id: draft.picture.id }),
  position: placeOf(draft),
  duration: durationOf(draft),
  targets: draft.targets.map(targetOf),
});
const targetOf = ({ kind, id }: ChosenTarget): MessageTarget => (kind === 'all' ? { kind } : { kind, id });

/** Number of screens that show it now, or have shown it. */
export const seenOn = ({ shown, ended }: Pick<Message, 'shown' | 'ended'>): number => shown + ended;
