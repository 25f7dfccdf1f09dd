import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Page.tsx';
import { TextField } from '../../components/TextField.tsx';
import { limits, wholeIn } from './server.utils.ts';
import type { SettingsForm } from './useSettingsForm.ts';
import type { UpkeepForm } from './useUpkeepForm.ts';

/** Its fields, what is wrong, and the buttons that appear with the first change. */
export function SettingsFormBox({ form, children }: { form: SettingsForm; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (form.changed && form.valid) form.save();
      }}
    >
      {form.problem && <Notice tone="bad" title={form.problem} />}
      {children}
      {form.changed && (
        <div className="form-actions">
          <Button type="submit" variant="primary" isPending={form.isPending} isDisabled={!form.valid}>
            {t('common.save')}
          </Button>
          <Button variant="quiet" onPress={form.discard}>
            {t('common.discard')}
          </Button>
        </div>
      )}
    </form>
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
