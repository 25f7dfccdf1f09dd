import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  contentFields,
  lookFields,
  type WidgetChoice,
  type WidgetField,
  type WidgetFieldKey,
  type WidgetType,
} from '../../../shared/contract/content/widget-types.ts';
import { kioskIdOf, kioskPagesQuery, kioskPath } from '../../api/kiosk.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { Switch } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { ColorField } from '../../components/fields/ColorField.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { TimeZoneField } from '../../components/fields/TimeZoneField.tsx';
import { Section } from '../../components/frame/Page.tsx';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { type ConfigDraft, flagIn, numberIn, textIn } from '../../domain/saving/useConfigDraft.ts';
import { ValidityFields } from '../../domain/time/ValidityFields.tsx';
import { DirectoryEditor } from './DirectoryEditor.tsx';
import { categoriesIn } from './directory.utils.ts';
import { InsertValue } from './InsertValue.tsx';
import { hintOf } from './widget.utils.ts';

/** Option for an empty value. */
const AUTO = 'auto';
const NONE = 'none';
const ADDRESS = { placeholder: 'https://', inputMode: 'url' } as const;

/** Key of the text of an option. */
type ChoiceText = `${'widget.choice'}.${WidgetChoice}`;

type FormProps = { type: WidgetType; draft: ConfigDraft };

/** Form with all settings of a widget of this type. Empty fields show the default. */
export function WidgetForm({ type, draft }: FormProps) {
  const { t } = useTranslation();
  const look = lookFields(type);
  return (
    <>
      <div className="form">
        <TextField
          label={t('common.name')}
          hint={t('kiosk.nameHint')}
          value={draft.draft.name}
          onChange={(name) => draft.change({ name })}
          maxLength={200}
          isRequired
        />
        {contentFields(type).map(([name, field]) => (
          <WidgetControl key={name} type={type} name={name} field={field} draft={draft} />
        ))}
      </div>
      {draft.draft.valid && (
        <ValidityFields
          valid={draft.draft.valid}
          onChange={(change) =>
            draft.change({ valid: { valid_from: null, valid_until: null, ...draft.draft.valid, ...change } })
          }
        />
      )}
      {look.length > 0 && (
        <Section title={t('kiosk.style')} lead={t('kiosk.styleLead')}>
          <div className="form pairs">
            {look.map(([name, field]) => (
              <WidgetControl key={name} type={type} name={name} field={field} draft={draft} />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}

const LANGUAGES = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL', 'pt-PT', 'pl-PL'];

function WidgetControl({ type, name, field, draft }: FormProps & { name: WidgetFieldKey; field: WidgetField }) {
  const { t } = useTranslation();
  const { config } = draft.draft;
  const value = textIn(config, name);
  const set = (next: unknown) => draft.setKey(name, next);
  const words = { label: t(`widget.field.${name}`), hint: hintOf(type, name, t) };
  /** Renders a select. An empty value means `auto`, or the default if there is one. */
  const select = (options: readonly string[], textOf: (option: string) => string, fallback: string = AUTO) => {
    const chosen = value || fallback;
    const offered = fallback === AUTO ? [AUTO, ...options] : options;
    return (
      <Select
        {...words}
        value={chosen}
        options={[...(offered.includes(chosen) ? [] : [chosen]), ...offered].map((option) => ({
          value: option,
          label: offered.includes(option) ? textOf(option) : option,
        }))}
        onChange={(next) => set(next === fallback ? undefined : next)}
      />
    );
  };
  const withValues = (control: ReactNode) => (
    <InsertValue label={words.label} value={value} onChange={set}>
      {control}
    </InsertValue>
  );
  const choiceText = (option: string) => t(`widget.choice.${name}.${option}` as ChoiceText);
  switch (field.kind) {
    case 'text':
      return withValues(<TextField {...words} value={value} onChange={set} />);
    case 'address':
      return withValues(<TextField {...words} value={value} onChange={set} {...ADDRESS} />);
    case 'page':
      return (
        <>
          <KioskPageChoice draft={draft} />
          {withValues(<TextField {...words} value={value} onChange={set} {...ADDRESS} />)}
        </>
      );
    case 'long':
      return withValues(
        <div className="long-text">
          <TextField {...words} value={value} onChange={set} multiline spellCheck="true" />
        </div>,
      );
    case 'code':
      return (
        <div className="code-text">
          <TextField {...words} value={value} onChange={set} multiline spellCheck="false" />
        </div>
      );
    case 'color':
      return <ColorField label={words.label} value={value} placeholder={t('widget.automatic')} onChange={set} />;
    case 'number':
      return (
        <NumberField
          {...words}
          value={numberIn(config, name)}
          min={field.min}
          max={field.max}
          digits={field.digits}
          step={field.digits ? 0.0001 : 1}
          unit={field.unit}
          placeholder={field.fallback?.toString() ?? t('widget.automatic')}
          onChange={set}
        />
      );
    case 'switch':
      return (
        <Switch
          isSelected={flagIn(config, name, field.fallback)}
          onChange={(on) => set(on === field.fallback ? undefined : on)}
        >
          {words.label}
        </Switch>
      );
    case 'choice':
      return select(field.options, choiceText, field.fallback ?? AUTO);
    case 'theme':
      return select(['light', 'dark'], choiceText);
    case 'locale':
      // Each language is named in its own language.
      return select(LANGUAGES, (tag) =>
        tag === AUTO ? t('widget.ownLanguage') : (new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag),
      );
    case 'zone':
      return <ZoneField draft={draft} />;
    case 'pictures': {
      const urls = Array.isArray(config[name])
        ? (config[name] as unknown[]).filter((url) => typeof url === 'string')
        : [];
      return (
        <TextField
          {...words}
          value={urls.join('\n')}
          onChange={(text) => set(text === '' ? undefined : text.split('\n'))}
          multiline
        />
      );
    }
    case 'categories':
      // Nothing to edit here: the board that is searched is edited as a separate widget.
      if (type === 'directory-search' && textIn(config, 'source_widget_id')) return null;
      return (
        <DirectoryEditor
          categories={categoriesIn(config)}
          onChange={(list) => set(list.length > 0 ? list : undefined)}
        />
      );
    case 'source_widget':
      return <SourceWidget {...words} value={value} onChange={set} />;
    default:
      return field satisfies never;
  }
}

function ZoneField({ draft }: { draft: ConfigDraft }) {
  const { t } = useTranslation();
  const zone = textIn(draft.draft.config, 'timezone');
  return (
    <>
      <Switch
        isSelected={zone === ''}
        hint={t('widget.ownZoneHint')}
        onChange={(own) => draft.setKey('timezone', own ? undefined : Intl.DateTimeFormat().resolvedOptions().timeZone)}
      >
        {t('widget.ownZone')}
      </Switch>
      {zone !== '' && (
        <TimeZoneField
          label={t('widget.field.timezone')}
          value={zone}
          onChange={(value) => draft.setKey('timezone', value)}
        />
      )}
    </>
  );
}

type SourceWidgetProps = {
  label: string;
  hint: string | undefined;
  value: string;
  onChange: (id: string | undefined) => void;
};

function SourceWidget({ value, onChange, ...words }: SourceWidgetProps) {
  const { t } = useTranslation();
  const boards = (useQuery(widgetsQuery).data ?? []).filter((widget) => widget.widget_type === 'directory-board');
  return (
    <Select
      {...words}
      value={value || NONE}
      options={[
        { value: NONE, label: t('widget.sourceOwn') },
        ...boards.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(id) => onChange(id === NONE ? undefined : id)}
    />
  );
}

const KIOSK_PAGES = ['kiosk'] as const;

function KioskPageChoice({ draft }: { draft: ConfigDraft }) {
  const { t } = useTranslation();
  const id = kioskIdOf(textIn(draft.draft.config, 'url'));
  const pages = useQuery(kioskPagesQuery).data ?? [];
  if (pages.length === 0) return null;
  return (
    <SubjectPicker
      label={t('kiosk.one')}
      hint={t('widget.kioskPageHint')}
      placeholder={t('overlay.none')}
      kinds={KIOSK_PAGES}
      value={id === undefined ? null : { kind: 'kiosk', id }}
      onChange={(page) => draft.setKey('url', page ? kioskPath(page.id) : undefined)}
      allowsNone
    />
  );
}
