import { useQuery } from '@tanstack/react-query';
import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type Me, updateMe } from '../../../shared/contract/people/auth.ts';
import { type Language, languages } from '../../../shared/contract/people/language.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { meQuery, useMe } from '../../api/session/me.ts';
import { signOut } from '../../api/session/signOut.ts';
import { changeTheme, themes } from '../../api/session/theme.ts';
import { useTheme } from '../../api/session/useTheme.ts';
import { Checkbox, Segments, Switch } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { ChangeForm, Form } from '../../components/fields/Form.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Page, Section } from '../../components/frame/Page.tsx';
import { canChange, PasswordChange, type Passwords } from '../../domain/people/PasswordChange.tsx';
import { changeLanguage } from '../../i18n/i18n.ts';
import { TwoFactor } from './TwoFactor.tsx';
import './account.css';

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;

export function AccountPage() {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const theme = useTheme();
  // Saves the language for mails to the user, too.
  const keepLanguage = useEdit({
    topics: ['members'],
    run: (language: Language) => client.call(updateMe, { body: { language } }),
  });
  return (
    <Page title={t('nav.account')} lead={me.email} narrow>
      <div className="card pad">
        <Section title={t('people.you')}>
          <NameForm key={me.id} me={me} />
          <MailAlerts me={me} />
        </Section>
      </div>
      <div className="card pad">
        <Section title={t('account.display')} lead={t('account.displayLead')}>
          <div className="account-choice">
            <span id="language">{t('account.language')}</span>
            <Segments
              label={t('account.language')}
              value={i18n.language as Language}
              onChange={(language) => {
                void changeLanguage(language);
                keepLanguage.mutate(language);
              }}
              options={languages.map((value) => ({ value, label: t(`account.languages.${value}`) }))}
            />
          </div>
          <div className="account-choice">
            <span>{t('account.theme')}</span>
            <Segments
              label={t('account.theme')}
              value={theme}
              onChange={changeTheme}
              options={themes.map((value) => ({ value, label: t(`account.themes.${value}`), icon: themeIcons[value] }))}
            />
          </div>
        </Section>
      </div>
      {me.auth_provider === 'local' && (
        <div className="card pad">
          <Section title={t('signIn.password')} lead={t('account.passwordLead')}>
            <PasswordForm />
          </Section>
        </div>
      )}
      {me.auth_provider === 'local' && (
        <div className="card pad">
          <Section title={t('account.twoFactor')} lead={t('account.twoFactorLead')}>
            <TwoFactor />
          </Section>
        </div>
      )}
      <div className="card pad">
        <Section title={t('nav.signOut')} lead={t('account.signOutLead')}>
          <div className="form-actions">
            <Button icon={LogOut} onPress={() => void signOut()}>
              {t('nav.signOut')}
            </Button>
          </div>
        </Section>
      </div>
    </Page>
  );
}

function NameForm({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  const save = useEdit({
    topics: ['members'],
    run: () => client.call(updateMe, { body: { name: name ?? me.name } }),
    said: () => t('account.nameSaved'),
    done: () => setName(undefined),
  });
  const changed = name !== undefined && name.trim() !== '' && name !== me.name;
  return (
    <ChangeForm
      changed={changed}
      isPending={save.isPending}
      onSave={() => save.mutate()}
      onDiscard={() => setName(undefined)}
    >
      <TextField
        label={t('common.name')}
        autoComplete="name"
        value={name ?? me.name}
        onChange={setName}
        maxLength={200}
      />
    </ChangeForm>
  );
}

function MailAlerts({ me }: { me: Me }) {
  const { t } = useTranslation();
  const save = useEdit({
    topics: ['members'],
    run: (on: boolean) => client.call(updateMe, { body: { email_alerts: on ? 1 : 0 } }),
  });
  return (
    <Switch
      hint={t('account.alertsHint')}
      isSelected={save.isPending ? save.variables : me.email_alerts === 1}
      isDisabled={save.isPending}
      onChange={(on) => save.mutate(on)}
    >
      {t('account.alerts')}
    </Switch>
  );
}

const nothing: Passwords = { present: '', next: '' };

function PasswordForm() {
  const { t } = useTranslation();
  const [passwords, setPasswords] = useState(nothing);
  const [asked, setAsked] = useState(false);
  const [wrong, setWrong] = useState(false);
  const [revoke, setRevoke] = useState(false);
  const tokens = useQuery({ ...meQuery, select: (me) => me.live_tokens }).data ?? 0;
  const change = useEdit({
    topics: ['tokens', 'members'],
    run: () =>
      client.call(updateMe, {
        body: { current_password: passwords.present, password: passwords.next, revoke_tokens: revoke },
      }),
    said: () => t('account.passwordChanged'),
    done: () => {
      setPasswords(nothing);
      setAsked(false);
      setRevoke(false);
    },
    failed: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'wrong_password') return false;
      setWrong(true);
      return true;
    },
  });
  return (
    <Form
      onSubmit={() => {
        setAsked(true);
        if (canChange(passwords)) change.mutate();
      }}
    >
      <PasswordChange
        value={passwords}
        onChange={(part) => {
          setPasswords((now) => ({ ...now, ...part }));
          if (part.present !== undefined) setWrong(false);
        }}
        asked={asked}
        wrong={wrong}
      />
      {tokens > 0 && (
        <Checkbox isSelected={revoke} onChange={setRevoke} hint={t('account.revokeTokensHint')}>
          {t('account.revokeTokens', { count: tokens })}
        </Checkbox>
      )}
      <div className="form-actions">
        <Button type="submit" isPending={change.isPending} isDisabled={!passwords.present || !passwords.next}>
          {t('app.changePassword')}
        </Button>
      </div>
    </Form>
  );
}
