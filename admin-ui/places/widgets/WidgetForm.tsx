import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { WidgetType } from '../../../shared/contract/widgets.ts';
import { Switch } from '../../components/Choices.tsx';
import { ColorField } from '../../components/ColorField.tsx';
import { NumberField } from '../../components/NumberField.tsx';
import { Section } from '../../components/Page.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { TimeZoneField } from '../../components/TimeZoneField.tsx';
import { kioskIdOf, kioskPagesQuery, kioskPath } from '../../data/kiosk.ts';
import { widgetsQuery } from '../../data/widgets.ts';
import { type ConfigDraft, flagIn, numberIn, textIn } from '../../parts/useConfigDraft.ts';
import { DirectoryEditor } from './DirectoryEditor.tsx';
import { categoriesIn } from './directory.utils.ts';
import { type Field, fieldsOf } from './widget.fields.ts';
import { choiceText, hintOf } from './widget.utils.ts';

type FormProps = { type: WidgetType; draft: ConfigDraft };

/** Every setting of a widget of the type; what is not set says what holds instead. */
export function WidgetForm({ type, draft }: FormProps) {
  const { t } = useTranslation();
  const { content, look } = fieldsOf[type];
  const nameOf = (field: Field) => ('key' in field ? field.key : field.kind);
  return (
    <>
      <div className="form">
        <TextField label={t('widget.name')} hint={t('widget.nameHint')} value={draft.draft.name} onChange={(name) => draft.change({ name })} maxLength={200} isRequired />
        {content.map((field) => (
          <WidgetField key={nameOf(field)} type={type} field={field} draft={draft} />
        ))}
      </div>
      {look.length > 0 && (
        <Section title={t('widget.look')} lead={t('widget.lookLead')}>
          <div className="form pairs">
            {look.map((field) => (
              <WidgetField key={nameOf(field)} type={type} field={field} draft={draft} />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}

function WidgetField({ type, field, draft }: FormProps & { field: Field }) {
  const { t } = useTranslation();
  const { config } = draft.draft;
  switch (field.kind) {
    case 'text':
    case 'address':
      return (
        <TextField
          label={t(`widget.field.${field.key}`)}
          hint={hintOf(type, field.key, t)}
          value={textIn(config, field.key)}
          onChange={(value) => draft.setKey(field.key, value)}
          {...(field.kind === 'address' && { placeholder: 'https://', inputMode: 'url' as const })}
        />
      );
    case 'long':
    case 'code':
      return (
        <div className={field.kind === 'code' ? 'code-text' : 'long-text'}>
          <TextField
            label={t(`widget.field.${field.key}`)}
            hint={hintOf(type, field.key, t)}
            value={textIn(config, field.key)}
            onChange={(value) => draft.setKey(field.key, value)}
            multiline
            spellCheck={field.kind === 'code' ? 'false' : 'true'}
          />
        </div>
      );
    case 'color':
      return (
        <ColorField
          label={t(`widget.field.${field.key}`)}
          value={textIn(config, field.key)}
          placeholder={t('widget.automatic')}
          onChange={(value) => draft.setKey(field.key, value)}
        />
      );
    case 'number': {
      const fallback = field.fallback === undefined ? t('widget.automatic') : String(field.fallback);
      return (
        <NumberField
          label={t(`widget.field.${field.key}`)}
          hint={hintOf(type, field.key, t)}
          value={numberIn(config, field.key)}
          min={field.min}
          max={field.max}
          digits={field.digits ?? 0}
          step={field.digits ? 0.0001 : 1}
          unit={field.unit}
          placeholder={fallback}
          onChange={(value) => draft.setKey(field.key, value)}
        />
      );
    }
    case 'switch':
      return (
        <Switch isSelected={flagIn(config, field.key, field.fallback)} onChange={(on) => draft.setKey(field.key, on === field.fallback ? undefined : on)}>
          {t(`widget.field.${field.key}`)}
        </Switch>
      );
    case 'choice': {
      const value = textIn(config, field.key) || field.fallback;
      const options = field.options.includes(value) ? field.options : [value, ...field.options];
      return (
        <Select
          label={t(`widget.field.${field.key}`)}
          hint={hintOf(type, field.key, t)}
          value={value || 'auto'}
          options={options.map((option) => ({ value: option || 'auto', label: field.options.includes(option) ? choiceText(field.key, option || 'auto', t) : option }))}
          onChange={(chosen) => draft.setKey(field.key, chosen === 'auto' || chosen === field.fallback ? undefined : chosen)}
        />
      );
    }
    case 'zone':
      return <ZoneField draft={draft} />;
    case 'background_images': {
      const images = Array.isArray(config['background_images']) ? (config['background_images'] as unknown[]).filter((url) => typeof url === 'string') : [];
      return (
        <TextField
          label={t('widget.backgroundImages')}
          hint={t('widget.backgroundImagesHint')}
          value={images.join('\n')}
          onChange={(text) => draft.setKey('background_images', text === '' ? undefined : text.split('\n'))}
          multiline
        />
      );
    }
    case 'categories':
      // A board searched by another widget is edited there.
      if (type === 'directory-search' && textIn(config, 'source_widget_id')) return null;
      return <DirectoryEditor categories={categoriesIn(config)} onChange={(categories) => draft.setKey('categories', categories.length > 0 ? categories : undefined)} />;
    case 'source_widget':
      return <SourceWidget draft={draft} />;
    case 'kiosk_page':
      return <KioskPageChoice draft={draft} />;
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
      {zone !== '' && <TimeZoneField label={t('widget.field.timezone')} value={zone} onChange={(value) => draft.setKey('timezone', value)} />}
    </>
  );
}

const NONE = 'none';

function SourceWidget({ draft }: { draft: ConfigDraft }) {
  const { t } = useTranslation();
  const boards = (useQuery(widgetsQuery).data ?? []).filter((widget) => widget.widget_type === 'directory-board');
  return (
    <Select
      label={t('widget.source')}
      hint={t('widget.sourceHint')}
      value={textIn(draft.draft.config, 'source_widget_id') || NONE}
      options={[{ value: NONE, label: t('widget.sourceOwn') }, ...boards.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(id) => draft.setKey('source_widget_id', id === NONE ? undefined : id)}
    />
  );
}

function KioskPageChoice({ draft }: { draft: ConfigDraft }) {
  const { t } = useTranslation();
  const pages = useQuery(kioskPagesQuery).data ?? [];
  if (pages.length === 0) return null;
  return (
    <Select
      label={t('widget.kioskPage')}
      hint={t('widget.kioskPageHint')}
      value={kioskIdOf(textIn(draft.draft.config, 'url')) ?? NONE}
      options={[{ value: NONE, label: t('widget.kioskPageNone') }, ...pages.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(id) => draft.setKey('url', id === NONE ? undefined : kioskPath(id))}
    />
  );
}
