import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Select } from '../../components/choices/Select.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { ColorField } from '../../components/fields/ColorField.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Section } from '../../components/frame/Page.tsx';
import { type ConfigDraft, numberIn, textIn, withKey } from '../../domain/saving/useConfigDraft.ts';
import {
  type Action,
  buttonsIn,
  deadEnd,
  type KioskButton,
  type KioskSubpage,
  newButton,
  newPageId,
  pagesIn,
  styleIn,
  swapped,
} from './kiosk.utils.ts';

/**
 * Seconds without a touch until a kiosk returns to its start page, if the page does not set another value. Same
 * default as on the server (kiosk-config.ts).
 */
const IDLE_SECONDS = 60;

export function KioskForm({ draft }: { draft: ConfigDraft }) {
  const { t } = useTranslation();
  const { config, name } = draft.draft;
  const pages = pagesIn(config);
  const line = (key: 'title' | 'subtitle' | 'footer' | 'logo_url' | 'idle_title' | 'idle_subtitle') => (
    <TextField
      label={t(`kiosk.field.${key}`)}
      value={textIn(config, key)}
      onChange={(value) => draft.setKey(key, value)}
      {...(key === 'logo_url' && { hint: t('kiosk.logoHint'), placeholder: 'https://' })}
      {...(key === 'idle_title' && { hint: t('kiosk.idleTitleHint') })}
    />
  );
  const setPages = (next: readonly KioskSubpage[]) => draft.setKey('pages', next.length > 0 ? next : undefined);
  const changePage = (id: string, part: Partial<KioskSubpage>) =>
    setPages(pages.map((page) => (page.id === id ? { ...page, ...part } : page)));
  return (
    <>
      <Section title={t('kiosk.start')} lead={t('kiosk.startLead')}>
        <div className="form">
          <TextField
            label={t('common.name')}
            hint={t('kiosk.nameHint')}
            value={name}
            onChange={(value) => draft.change({ name: value })}
            maxLength={200}
            isRequired
          />
          {line('title')}
          {line('subtitle')}
          <ButtonsEditor
            label={t('kiosk.buttons')}
            buttons={buttonsIn(config)}
            pages={pages}
            canGoBack={false}
            onChange={(buttons) => draft.setKey('buttons', buttons.length > 0 ? buttons : undefined)}
          />
          {line('footer')}
          {line('logo_url')}
        </div>
      </Section>
      <Section title={t('kiosk.pages')} lead={t('kiosk.pagesLead')}>
        <div className="form">
          {pages.map((page, at) => (
            <fieldset key={page.id || at} className="kiosk-page">
              <legend className="visually-hidden">{page.title || t('kiosk.pageN', { n: at + 1 })}</legend>
              <div className="kiosk-page-head">
                <TextField
                  label={t('kiosk.pageTitle')}
                  value={page.title}
                  onChange={(title) => changePage(page.id, { title })}
                />
                <IconButton
                  icon={Trash2}
                  label={t('kiosk.removePage', { name: page.title || at + 1 })}
                  onPress={() => setPages(pages.filter((_, i) => i !== at))}
                />
              </div>
              <TextField
                label={t('kiosk.field.subtitle')}
                value={page.subtitle}
                onChange={(subtitle) => changePage(page.id, { subtitle })}
              />
              <ButtonsEditor
                label={t('kiosk.buttons')}
                buttons={page.buttons}
                pages={pages}
                canGoBack
                onChange={(buttons) => changePage(page.id, { buttons })}
              />
            </fieldset>
          ))}
          <div>
            <Button
              icon={Plus}
              size="small"
              onPress={() => setPages([...pages, { id: newPageId(pages), title: '', subtitle: '', buttons: [] }])}
            >
              {t('kiosk.addPage')}
            </Button>
          </div>
        </div>
      </Section>
      <Section title={t('kiosk.idle')} lead={t('kiosk.idleLead')}>
        <div className="form">
          {line('idle_title')}
          {line('idle_subtitle')}
          <NumberField
            label={t('kiosk.idleTimeout')}
            hint={t('kiosk.idleTimeoutHint')}
            value={numberIn(config, 'idle_timeout')}
            min={0}
            max={86_400}
            unit="s"
            placeholder={String(IDLE_SECONDS)}
            onChange={(value) => draft.setKey('idle_timeout', value)}
          />
        </div>
      </Section>
      <StyleForm draft={draft} />
    </>
  );
}

function StyleForm({ draft }: { draft: ConfigDraft }) {
  const { t } = useTranslation();
  const style = styleIn(draft.draft.config);
  const set = (key: string, value: unknown) => {
    const next = withKey(style, key, value);
    draft.setKey('style', Object.keys(next).length > 0 ? next : undefined);
  };
  return (
    <Section title={t('kiosk.style')} lead={t('kiosk.styleLead')}>
      <div className="form pairs">
        <Select
          label={t('kiosk.theme')}
          value={textIn(style, 'theme') || 'auto'}
          onChange={(theme) => set('theme', theme === 'auto' ? undefined : theme)}
          options={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`kiosk.themes.${value}`) }))}
        />
        {(['background', 'color', 'accent', 'button_background', 'button_color'] as const).map((key) => (
          <ColorField
            key={key}
            label={t(`kiosk.colors.${key}`)}
            value={textIn(style, key)}
            placeholder={t('widget.automatic')}
            onChange={(value) => set(key, value)}
          />
        ))}
        <NumberField
          label={t('kiosk.columns')}
          value={numberIn(style, 'columns')}
          min={1}
          max={8}
          placeholder={t('widget.automatic')}
          onChange={(value) => set('columns', value)}
        />
        <NumberField
          label={t('kiosk.fontSize')}
          value={numberIn(style, 'font_size')}
          min={4}
          max={400}
          unit="px"
          placeholder={t('widget.automatic')}
          onChange={(value) => set('font_size', value)}
        />
      </div>
    </Section>
  );
}

const SCHEME = 'https://';

/** Maximum number of buttons that the server accepts. */
const MOST = 60;

type ButtonsEditorProps = {
  label: string;
  buttons: readonly KioskButton[];
  pages: readonly KioskSubpage[];
  /** Whether a button may go back. The start page has no page to go back to. */
  canGoBack: boolean;
  onChange: (buttons: readonly KioskButton[]) => void;
};

function ButtonsEditor({ label, buttons, pages, canGoBack, onChange }: ButtonsEditorProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="kiosk-buttons">
      <legend>{label}</legend>
      {buttons.length === 0 && <p className="field-hint">{t('kiosk.noButtons')}</p>}
      <ol>
        {buttons.map((button, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button has no identity but its place
          <li key={at} className="kiosk-button">
            <ButtonEditor
              button={button}
              pages={pages}
              canGoBack={canGoBack}
              onChange={(part) => onChange(buttons.map((one, i) => (i === at ? { ...one, ...part } : one)))}
            />
            <div className="kiosk-button-tools">
              <IconButton
                icon={ArrowUp}
                size="small"
                isDisabled={at === 0}
                label={t('kiosk.up', { name: button.label || at + 1 })}
                onPress={() => onChange(swapped(buttons, at, at - 1))}
              />
              <IconButton
                icon={ArrowDown}
                size="small"
                isDisabled={at === buttons.length - 1}
                label={t('kiosk.down', { name: button.label || at + 1 })}
                onPress={() => onChange(swapped(buttons, at, at + 1))}
              />
              <IconButton
                icon={Trash2}
                size="small"
                label={t('kiosk.removeButton', { name: button.label || at + 1 })}
                onPress={() => onChange(buttons.filter((_, i) => i !== at))}
              />
            </div>
          </li>
        ))}
      </ol>
      <div>
        <Button
          icon={Plus}
          size="small"
          isDisabled={buttons.length >= MOST}
          onPress={() => onChange([...buttons, newButton])}
        >
          {t('kiosk.addButton')}
        </Button>
      </div>
    </fieldset>
  );
}

type ButtonEditorProps = {
  button: KioskButton;
  pages: readonly KioskSubpage[];
  canGoBack: boolean;
  onChange: (part: Partial<KioskButton>) => void;
};

function ButtonEditor({ button, pages, canGoBack, onChange }: ButtonEditorProps) {
  const { t } = useTranslation();
  const dead = deadEnd(button, pages);
  const actions: Action[] = canGoBack || button.action === 'back' ? ['url', 'page', 'back'] : ['url', 'page'];
  return (
    <div className="form pairs">
      <TextField label={t('kiosk.label')} value={button.label} onChange={(label) => onChange({ label })} />
      <TextField label={t('kiosk.sublabel')} value={button.sublabel} onChange={(sublabel) => onChange({ sublabel })} />
      <TextField label={t('kiosk.icon')} placeholder="☕" value={button.icon} onChange={(icon) => onChange({ icon })} />
      <Select
        label={t('kiosk.action')}
        value={button.action}
        onChange={(action) => onChange({ action })}
        options={actions.map((value) => ({ value, label: t(`kiosk.actions.${value}`) }))}
      />
      {button.action === 'url' && (
        <div className="wide">
          <TextField
            label={t('common.address')}
            placeholder={SCHEME}
            value={button.url}
            onChange={(url) => onChange({ url: url.trim() })}
            error={button.url && dead ? t('kiosk.noUrl') : undefined}
          />
        </div>
      )}
      {button.action === 'page' && (
        <div className="wide">
          <Select
            label={t('kiosk.toPage')}
            value={dead ? null : button.page}
            placeholder={pages.length === 0 ? t('kiosk.noPages') : t('kiosk.choosePage')}
            isDisabled={pages.length === 0}
            onChange={(page) => onChange({ page })}
            options={pages.map(({ id, title }, i) => ({ value: id, label: title || t('kiosk.pageN', { n: i + 1 }) }))}
          />
        </div>
      )}
    </div>
  );
}
