import { useTranslation } from 'react-i18next';
import type { UpkeepSettings } from '../../../shared/contract/upkeep.ts';
import { ServerCard } from './ServerCard.tsx';
import { SettingsFormBox, WholeField } from './UpkeepFields.tsx';
import { useUpkeepForm } from './useUpkeepForm.ts';

export function Keeping({ settings }: { settings: UpkeepSettings }) {
  const { t } = useTranslation();
  const form = useUpkeepForm(settings);
  return (
    <ServerCard part="keeping" title={t('server.keeping')} lead={t('server.keepingLead')}>
      <SettingsFormBox form={form}>
        <div className="server-fields">
          <WholeField form={form} name="plays_days" label={t('server.playsDays')} hint={t('server.playsDaysHint')} />
          <WholeField form={form} name="telemetry_days" label={t('server.telemetryDays')} hint={t('server.telemetryDaysHint')} />
          <WholeField form={form} name="activity_days" label={t('server.activityDays')} />
          <WholeField form={form} name="logs_days" label={t('server.logsDays')} />
        </div>
      </SettingsFormBox>
    </ServerCard>
  );
}
