import { useMutation, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../../shared/contract/people/language.ts';
import {
  type Connections,
  MailSecurity,
  type ServerSettings,
  testMail,
  updateServerSettings,
} from '../../../shared/contract/server/server.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { serverSettingsQuery } from '../../api/server.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { PasswordField, TextField } from '../../components/fields/TextField.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { ServerCard } from './ServerCard.tsx';
import { portFor } from './server.utils.ts';
import { Fixed, SettingsFormBox } from './UpkeepFields.tsx';
import { useConnectionsForm } from './useSettingsForm.ts';

/** Section for the mail server that sends invitations, confirmations and alerts. */
export function Mail({ settings }: { settings: Connections }) {
  const { t } = useTranslation();
  const form = useConnectionsForm(settings);
  const test = useMutation({ mutationFn: () => client.call(testMail), onError: useProblem() });
  const { now, set } = form;
  const isFixed = now.fixed.includes('mail');
  const isFromFixed = now.fixed.includes('mail_from');
  return (
    <ServerCard part="mail" title={t('server.parts.mail')} lead={t('server.mailLead')}>
      {isFixed && <Fixed by="VITRINE_SMTP_URL" />}
      <SettingsFormBox form={form}>
        <div className="server-fields">
          <TextField
            label={t('server.mailHost')}
            hint={t('server.mailHostHint')}
            value={now.mail_host}
            onChange={(mail_host) => set({ mail_host })}
            isDisabled={isFixed}
            spellCheck="false"
            autoComplete="off"
          />
          <Select
            label={t('server.parts.https')}
            value={now.mail_security}
            options={MailSecurity.options.map((value) => ({ value, label: t(`server.mailSecurities.${value}`) }))}
            onChange={(mail_security) => set({ mail_security, mail_port: portFor(mail_security, now.mail_port) })}
            isDisabled={isFixed}
          />
          <NumberField
            label={t('server.mailPort')}
            value={Number.isNaN(now.mail_port) ? null : now.mail_port}
            min={1}
            max={65_535}
            onChange={(port) => set({ mail_port: port ?? Number.NaN })}
            isDisabled={isFixed}
          />
          <TextField
            label={t('server.mailUser')}
            value={now.mail_user}
            onChange={(mail_user) => set({ mail_user })}
            isDisabled={isFixed}
            spellCheck="false"
            autoComplete="off"
          />
          <PasswordField
            label={t('server.mailPassword')}
            hint={settings.mail_password_set === 1 ? t('server.secretSet') : t('server.mailPasswordHint')}
            value={form.draft.mail_password ?? ''}
            onChange={(mail_password) => set({ mail_password })}
            isDisabled={isFixed}
            autoComplete="new-password"
          />
          <TextField
            label={t('server.mailFrom')}
            hint={t('server.mailFromHint')}
            value={now.mail_from}
            onChange={(mail_from) => set({ mail_from })}
            isDisabled={isFromFixed}
            spellCheck="false"
            autoComplete="off"
          />
        </div>
      </SettingsFormBox>
      <MailLanguage />
      <div className="form-actions">
        <Button
          icon={Send}
          isPending={test.isPending}
          isDisabled={form.changed || settings.mail_host === ''}
          onPress={() => test.mutate()}
        >
          {t('server.testMail')}
        </Button>
      </div>
      {test.data && !form.changed && (
        <Notice
          tone={test.data.ok ? 'good' : 'bad'}
          title={test.data.ok ? t('server.testMailSent') : t('server.testMailFailed')}
        >
          {test.data.text}
        </Notice>
      )}
    </ServerCard>
  );
}

/** Select for the language of mails to people who have chosen no language. Takes effect at once. */
function MailLanguage() {
  const { t } = useTranslation();
  const settings = useQuery(serverSettingsQuery).data;
  const save = useEdit({
    topics: ['settings'],
    run: (language: ServerSettings['language']) => client.call(updateServerSettings, { body: { language } }),
  });
  if (!settings) return null;
  return (
    <div className="server-fields">
      <Select
        label={t('account.language')}
        hint={t('server.mailLanguageHint')}
        value={save.isPending ? save.variables : settings.language}
        options={languages.map((value) => ({ value, label: t(`account.languages.${value}`) }))}
        onChange={(language) => save.mutate(language)}
      />
    </div>
  );
}
