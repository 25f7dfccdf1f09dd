import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { testNotices, type UpkeepSettings } from '../../../shared/contract/server/upkeep.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { PasswordField, TextField } from '../../components/fields/TextField.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { worded } from '../../i18n/sentences.ts';
import { ServerCard } from './ServerCard.tsx';
import { SettingsFormBox, WholeField } from './UpkeepFields.tsx';
import { useUpkeepForm } from './useSettingsForm.ts';

/** Section for the recipients of notices: people by mail, programs by webhook and MQTT. */
export function Notices({ settings }: { settings: UpkeepSettings }) {
  const { t } = useTranslation();
  const form = useUpkeepForm(settings);
  const test = useMutation({ mutationFn: () => client.call(testNotices), onError: useProblem() });
  const { now, set } = form;
  const hintOf = (shown: string, hint: string) => (shown.endsWith('…') ? t('server.addressHidden') : hint);
  return (
    <ServerCard part="notices" title={t('server.parts.notices')} lead={t('server.noticesLead')}>
      <SettingsFormBox form={form}>
        <div className="server-fields">
          <WholeField
            form={form}
            name="dark_minutes"
            label={t('server.darkMinutes')}
            hint={t('server.darkMinutesHint')}
          />
        </div>
        <Checkbox
          hint={t('server.darkMailHint')}
          isSelected={Boolean(now.dark_mail)}
          onChange={(on) => set({ dark_mail: on ? 1 : 0 })}
        >
          {t('server.darkMail')}
        </Checkbox>
        <fieldset className="server-group">
          <legend>{t('server.webhook')}</legend>
          <TextField
            label={t('server.webhookUrl')}
            hint={hintOf(settings.webhook_url, t('server.webhookHint'))}
            value={now.webhook_url}
            onChange={(webhook_url) => set({ webhook_url })}
            spellCheck="false"
          />
          {now.webhook_url !== '' && (
            <>
              <PasswordField
                label={t('server.webhookSecret')}
                hint={settings.webhook_secret_set === 1 ? t('server.secretSet') : t('server.webhookSecretHint')}
                autoComplete="off"
                value={form.secret('webhook_secret')}
                onChange={(webhook_secret) => set({ webhook_secret })}
              />
              <Checkbox isSelected={Boolean(now.webhook_plays)} onChange={(on) => set({ webhook_plays: on ? 1 : 0 })}>
                {t('server.alsoPlays')}
              </Checkbox>
            </>
          )}
        </fieldset>
        <fieldset className="server-group">
          <legend>{t('server.mqtt')}</legend>
          <TextField
            label={t('server.mqttUrl')}
            hint={hintOf(settings.mqtt_url, t('server.mqttHint'))}
            value={now.mqtt_url}
            onChange={(mqtt_url) => set({ mqtt_url })}
            spellCheck="false"
          />
          {now.mqtt_url !== '' && (
            <>
              <div className="server-fields">
                <TextField
                  label={t('server.mqttTopic')}
                  value={now.mqtt_topic}
                  onChange={(mqtt_topic) => set({ mqtt_topic })}
                  spellCheck="false"
                />
                <TextField
                  label={t('server.mailUser')}
                  value={now.mqtt_username}
                  onChange={(mqtt_username) => set({ mqtt_username })}
                  autoComplete="off"
                  spellCheck="false"
                />
              </div>
              <PasswordField
                label={t('signIn.password')}
                {...(settings.mqtt_password_set === 1 && { hint: t('server.secretSet') })}
                autoComplete="off"
                value={form.secret('mqtt_password')}
                onChange={(mqtt_password) => set({ mqtt_password })}
              />
              <Checkbox isSelected={Boolean(now.mqtt_plays)} onChange={(on) => set({ mqtt_plays: on ? 1 : 0 })}>
                {t('server.alsoPlays')}
              </Checkbox>
            </>
          )}
        </fieldset>
      </SettingsFormBox>
      <div className="form-actions">
        <Button icon={Send} isPending={test.isPending} isDisabled={form.changed} onPress={() => test.mutate()}>
          {t('server.test')}
        </Button>
      </div>
      {test.data && (
        <div role="status">
          <Facts
            facts={(['webhook', 'mqtt', 'mail'] as const).map(
              (way) => [t(`server.${way}`), worded(test.data[way])] as const,
            )}
          />
        </div>
      )}
    </ServerCard>
  );
}
