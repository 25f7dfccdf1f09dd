import { BadgePercent, ChevronRight, HandHeart, Image, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { useTranslation } from 'react-i18next';
import {
  MAX_MESSAGE_TARGETS,
  type Message,
  type MessageTemplate,
  messageTemplates,
} from '../../../shared/contract/screens/messages.ts';
import { overlayArea, overlayAreas } from '../../../shared/protocol/overlay-area.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { ColorField } from '../../components/fields/ColorField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { ContentPicker } from '../../domain/content/ContentPicker.tsx';
import { TargetPicker } from '../../domain/screens/TargetPicker.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { colorsOf, durationOf, type MessageDraft, messageDurations, placeOf } from './message.utils.ts';
import { isColor } from './overlay.utils.ts';

export const templateIcons: Readonly<Record<MessageTemplate, LucideIcon>> = {
  notice: Info,
  alarm: TriangleAlert,
  welcome: HandHeart,
  offer: BadgePercent,
};

type FormProps = {
  draft: MessageDraft;
  recent: readonly Message[];
  onChange: (part: Partial<MessageDraft>) => void;
};

export function MessageForm({ draft, recent, onChange }: FormProps) {
  const { t } = useTranslation();
  return (
    <div className="form message-form">
      <Words draft={draft} onChange={onChange} />
      {!draft.picture && <Templates draft={draft} recent={recent} onChange={onChange} />}
      <TargetPicker
        label={t('message.where')}
        value={draft.targets.map((one) => (one.kind === 'all' ? { ...one, name: t('find.allScreens') } : one))}
        onChange={(targets) => onChange({ targets })}
        max={MAX_MESSAGE_TARGETS}
        allowsAll
      />
      <Duration seconds={durationOf(draft)} onChange={(duration) => onChange({ duration })} />
      <details className="message-look">
        <summary>
          <ChevronRight aria-hidden />
          {t('message.look')}
        </summary>
        <div className="form">
          <Places draft={draft} onChange={onChange} />
          <Colors draft={draft} recent={recent} onChange={onChange} />
        </div>
      </details>
    </div>
  );
}

type PartProps = Omit<FormProps, 'recent'>;

function Words({ draft, onChange }: PartProps) {
  const { t } = useTranslation();
  const [choosing, setChoosing] = useState(false);
  const { template, picture } = draft;
  return (
    <>
      <TextField
        label={picture ? t('message.caption') : t(`message.headline.${template}`)}
        placeholder={t(`message.headlineExample.${template}`)}
        value={draft.title}
        onChange={(title) => onChange({ title })}
        maxLength={120}
        autoFocus
      />
      {!picture && (
        <TextField
          label={t('message.text')}
          value={draft.text}
          onChange={(text) => onChange({ text })}
          maxLength={1_000}
          multiline
        />
      )}
      {picture ? (
        <div className="message-picture">
          <Image aria-hidden size={18} />
          <span className="truncate">{picture.name}</span>
          <IconButton
            icon={X}
            size="small"
            label={t('message.removePicture')}
            onPress={() => onChange({ picture: null })}
          />
        </div>
      ) : (
        <Button size="small" variant="quiet" icon={Image} onPress={() => setChoosing(true)}>
          {t('message.choosePicture')}
        </Button>
      )}
      {choosing && (
        <ContentPicker
          title={t('message.choosePicture')}
          type="image"
          onClose={() => setChoosing(false)}
          onChoose={({ id, filename }) => {
            setChoosing(false);
            onChange({ picture: { id, name: filename } });
          }}
        />
      )}
    </>
  );
}

function Templates({ draft, recent, onChange }: FormProps) {
  const { t } = useTranslation();
  return (
    <RadioGroup
      className="field"
      value={draft.template}
      onChange={(template) => onChange({ template: template as MessageTemplate })}
      orientation="horizontal"
    >
      <Label>{t('message.template')}</Label>
      <div className="message-templates">
        {messageTemplates.map((template) => {
          const Icon = templateIcons[template];
          const { background, text } = colorsOf({ ...draft, template, colors: null }, recent);
          return (
            <Radio
              key={template}
              value={template}
              className="message-template"
              style={{ '--message': background, '--message-ink': text } as CSSProperties}
            >
              <span className="message-sample">
                <Icon aria-hidden />
              </span>
              {t(`message.templates.${template}`)}
            </Radio>
          );
        })}
      </div>
    </RadioGroup>
  );
}

function Duration({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = (one: number) => (one === 0 ? t('message.untilWithdrawn') : format.span(one));
  const known = messageDurations.some((one) => one === seconds);
  return (
    <Select
      label={t('message.duration')}
      value={String(seconds)}
      onChange={(chosen) => onChange(Number(chosen))}
      options={[...messageDurations, ...(known ? [] : [seconds])].map((one) => ({
        value: String(one),
        label: name(one),
      }))}
    />
  );
}

/** Size in pixels of the small sample screen on which each position is drawn. */
const SAMPLE = { width: 96, height: 54 };

function Places({ draft, onChange }: PartProps) {
  const { t } = useTranslation();
  return (
    <RadioGroup
      className="field"
      value={placeOf(draft)}
      onChange={(position) => onChange({ position: position as MessageDraft['position'] })}
      orientation="horizontal"
    >
      <Label>{t('overlay.position')}</Label>
      <div className="message-places">
        {overlayAreas.map((area) => {
          const { x, y, width, height } = overlayArea(area, SAMPLE);
          return (
            <Radio key={area} value={area} className="message-place" aria-label={t(`message.places.${area}`)}>
              <svg viewBox={`0 0 ${SAMPLE.width} ${SAMPLE.height}`} aria-hidden>
                <title>{t(`message.places.${area}`)}</title>
                <rect {...{ x, y, width, height }} />
              </svg>
            </Radio>
          );
        })}
      </div>
    </RadioGroup>
  );
}

function Colors({ draft, recent, onChange }: FormProps) {
  const { t } = useTranslation();
  const used = colorsOf(draft, recent);
  const [typed, setTyped] = useState<Partial<typeof used>>({});
  const set = (part: Partial<typeof used>) => {
    const next = { ...used, ...part };
    setTyped((now) => ({ ...now, ...part }));
    if (isColor(next.background) && isColor(next.text)) onChange({ colors: next });
  };
  return (
    <div className="form pairs">
      <ColorField
        label={t('layout.background')}
        value={typed.background ?? used.background}
        onChange={(background) => set({ background })}
      />
      <ColorField label={t('message.ink')} value={typed.text ?? used.text} onChange={(text) => set({ text })} />
    </div>
  );
}
