import { useTranslation } from 'react-i18next';
import type { UpkeepSettings } from '../../../shared/contract/upkeep.ts';
import { Checkbox } from '../../components/Choices.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { writeHour } from '../../i18n/civil.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { SettingsFormBox, WholeField } from './UpkeepFields.tsx';
import { useUpkeepForm } from './useUpkeepForm.ts';

const HOUR_MS = 3_600_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

export function BackupPlan({ settings }: { settings: UpkeepSettings }) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const form = useUpkeepForm(settings);
  return (
    <SettingsFormBox form={form}>
      <Checkbox isSelected={Boolean(form.now.backup_daily)} onChange={(on) => form.set({ backup_daily: on ? 1 : 0 })}>
        {t('server.daily')}
      </Checkbox>
      {Boolean(form.now.backup_daily) && (
        <div className="server-fields">
          <Select
            label={t('server.backupHour')}
            value={String(form.now.backup_hour)}
            options={hours.map((hour) => ({ value: String(hour), label: writeHour(locale, hour * HOUR_MS) }))}
            onChange={(hour) => form.set({ backup_hour: Number(hour) })}
          />
          <WholeField form={form} name="backup_keep" label={t('server.backupKeep')} />
        </div>
      )}
      <TextField
        label={t('content.folder')}
        hint={t('server.backupFolderHint')}
        value={form.now.backup_folder}
        onChange={(backup_folder) => form.set({ backup_folder })}
        spellCheck="false"
      />
    </SettingsFormBox>
  );
}
