/** A message in the editor, and its defaults. */
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
  /** Picture that is shown instead of the text; null for a text message. */
  readonly picture: { readonly id: string; readonly name: string } | null;
  /** Null means the colours that this template had last, or its default colours. */
  readonly colors: MessageColors | null;
  /** Null means the default position of the template. */
  readonly position: OverlayArea | null;
  /** Duration in seconds; 0 means until withdrawn; null means the default of the template. */
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

/** Returns the duration in seconds; 0 means until withdrawn. */
export const durationOf = ({ duration, template }: MessageDraft): number => duration ?? usualDuration(template);

/** Durations that the form offers, in seconds; 0 means until withdrawn. */
export const messageDurations = [60, 300, 900, 3_600, 0] as const;

const usualPlace: Readonly<Record<MessageTemplate, OverlayArea>> = {
  notice: 'bottom',
  alarm: 'full',
  welcome: 'full',
  offer: 'bottom-right',
};
export const placeOf = ({ position, template, picture }: MessageDraft): OverlayArea =>
  position ?? (picture ? 'full' : usualPlace[template]);

/**
 * Returns the chosen colours, otherwise the colours of the last message with this template, otherwise its default
 * colours.
 */
export const colorsOf = ({ colors, template }: MessageDraft, recent: readonly Message[]): MessageColors =>
  colors ?? recent.find((one) => one.template === template && one.colors)?.colors ?? templateColors[template];

export const hasContent = ({ title, text, picture }: MessageDraft): boolean =>
  picture !== null || title.trim() !== '' || text.trim() !== '';

/** Returns the values from which the page of the message is rendered. */
export const drawnOf = (draft: MessageDraft, recent: readonly Message[]) => ({
  template: draft.template,
  title: draft.title.trim(),
  text: draft.picture ? '' : draft.text.trim(),
  colors: colorsOf(draft, recent),
});

/** Returns the request body for a message. */
export const messageBody = (draft: MessageDraft, recent: readonly Message[]) => ({
  ...drawnOf(draft, recent),
  ...(draft.picture && { content_id: draft.picture.id }),
  position: placeOf(draft),
  duration: durationOf(draft),
  targets: draft.targets.map(targetOf),
});
const targetOf = ({ kind, id }: ChosenTarget): MessageTarget => (kind === 'all' ? { kind } : { kind, id });

/** Returns the number of screens that show the message now or have shown it. */
export const seenOn = ({ shown, ended }: Pick<Message, 'shown' | 'ended'>): number => shown + ended;
