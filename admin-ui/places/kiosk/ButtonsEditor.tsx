import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../components/Button.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { type Action, deadEnd, type KioskButton, type KioskSubpage, newButton, swapped } from './kiosk.utils.ts';

const SCHEME = 'https://';

/** As many as the server keeps. */
const MOST = 60;

type ButtonsEditorProps = {
  label: string;
  buttons: readonly KioskButton[];
  pages: readonly KioskSubpage[];
  /** From the start page there is nowhere to go back to. */
  canGoBack: boolean;
  onChange: (buttons: readonly KioskButton[]) => void;
};

export function ButtonsEditor({ label, buttons, pages, canGoBack, onChange }: ButtonsEditorProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="kiosk-buttons">
      <legend>{label}</legend>
      {buttons.length === 0 && <p className="field-hint">{t('kiosk.noButtons')}</p>}
      <ol>
        {buttons.map((button, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button has no identity but its place
          <li key={at} className="kiosk-button">
            <ButtonEditor button={button} pages={pages} canGoBack={canGoBack} onChange={(part) => onChange(buttons.map((one, i) => (i === at ? { ...one, ...part } : one)))} />
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
        <Button icon={Plus} size="small" isDisabled={buttons.length >= MOST} onPress={() => onChange([...buttons, newButton])}>
          {t('kiosk.addButton')}
        </Button>
      </div>
    </fieldset>
  );
}

type ButtonEditorProps = { button: KioskButton; pages: readonly KioskSubpage[]; canGoBack: boolean; onChange: (part: Partial<KioskButton>) => void };

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
            label={t('kiosk.url')}
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
