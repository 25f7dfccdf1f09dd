import { useTranslation } from 'react-i18next';
import type { UpkeepSettings } from '../../../shared/contract/upkeep.ts';
import { Section } from '../../components/Page.tsx';
import { UpkeepFormBox, WholeField } from './UpkeepFields.tsx';
import { useUpkeepForm } from './useUpkeepForm.ts';

export function Keeping({ settings }: { settings: UpkeepSettings }) {
  const { t } = useTranslation();
  const form = useUpkeepForm(settings);
  return (
    <div className="card server-card">
      <Section title={t('server.keeping')} lead={t('server.keepingLead')}>
        <UpkeepFormBox form={form}>
          <div className="server-fields">
            <WholeField form={form} name="plays_days" label={t('server.playsDays')} hint={t('server.playsDaysHint')} />
            <WholeField form={form} name="telemetry_days" label={t('server.telemetryDays')} hint={t('server.telemetryDaysHint')} />
            <WholeField form={form} name="activity_days" label={t('server.activityDays')} />
            <WholeField form={form} name="logs_days" label={t('server.logsDays')} />
          </div>
        </UpkeepFormBox>
      </Section>
    </div>
  );
}
