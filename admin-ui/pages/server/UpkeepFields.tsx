import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeForm } from '../../components/fields/Form.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { limits, wholeIn } from './server.utils.ts';
import type { SettingsForm, UpkeepForm } from './useSettingsForm.ts';

/** Box with the fields of a form, its errors, and buttons that appear after the first change. */
export function SettingsFormBox({ form, children }: { form: SettingsForm; children: ReactNode }) {
  return (
    <ChangeForm
      changed={form.changed}
      valid={form.valid}
      isPending={form.isPending}
      onSave={form.save}
      onDiscard={form.discard}
    >
      {form.problem && <Notice tone="bad" title={form.problem} />}
      {children}
    </ChangeForm>
  );
}

type WholeProps = { form: UpkeepForm; name: keyof typeof limits; label: string; hint?: string };

export function WholeField({ form, name, label, hint }: WholeProps) {
  const { t } = useTranslation();
  const [text, setText] = useState<string>();
  const stored = form.now[name];
  const [min, max] = limits[name];
  const wrong = Number.isNaN(stored);
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      value={wrong ? (text ?? '') : String(stored)}
      onChange={(next) => {
        setText(next);
        form.set({ [name]: wholeIn(next, limits[name]) ?? Number.NaN });
      }}
      error={wrong ? t('server.wholeBetween', { min, max }) : undefined}
    />
  );
}

/** Notice that a value cannot be changed here, and where it is set. */
export function Fixed({ by }: { by: string }) {
  const { t } = useTranslation();
  return (
    <Notice tone="info" title={t('server.fixed')}>
      {t('server.fixedBy', { by })}
    </Notice>
  );
}
