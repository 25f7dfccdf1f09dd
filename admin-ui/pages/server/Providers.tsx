import { useMutation } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Connections, testProvider } from '../../../shared/contract/server/server.ts';
import { client } from '../../api/requests/client.ts';
import { useLinkOrigin } from '../../api/requests/origin.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Badge, Notice } from '../../components/frame/Page.tsx';
import { ServerCard } from './ServerCard.tsx';
import { Fixed, SettingsFormBox } from './UpkeepFields.tsx';
import { useConnectionsForm } from './useSettingsForm.ts';

type Which = 'provider_a' | 'provider_b';
type Member =
  | 'provider_a_issuer'
  | 'provider_a_client_id'
  | 'provider_b_issuer'
  | 'provider_b_client_id'
  | 'provider_b_tenant_id'
  | 'provider_b_profile_url';

/** Section for the sign-in providers with which users sign in without a password of this server. */
export function Providers({ settings }: { settings: Connections }) {
  const { t } = useTranslation();
  return (
    <ServerCard part="providers" title={t('server.parts.providers')} lead={t('server.providersLead')}>
      <Provider which="provider_a" settings={settings} />
      <Provider which="provider_b" settings={settings} />
    </ServerCard>
  );
}

function Provider({ which, settings }: { which: Which; settings: Connections }) {
  const { t } = useTranslation();
  const form = useConnectionsForm(settings);
  const origin = useLinkOrigin();
  const test = useMutation({
    mutationFn: () => client.call(testProvider, { body: { provider: which } }),
    onError: useProblem(),
  });
  const isFixed = settings.fixed.includes(which);
  const isOn = settings[`${which}_issuer`] !== '' && settings[`${which}_client_id`] !== '';
  const field = (member: Member, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      value={form.now[member]}
      onChange={(value) => form.set({ [member]: value })}
      isDisabled={isFixed}
      spellCheck="false"
      autoComplete="off"
    />
  );
  return (
    <fieldset className="server-group">
      <legend>
        {t(`server.${which}`)}{' '}
        {isOn ? <Badge tone="good">{t('server.providerOn')}</Badge> : <Badge>{t('server.providerOff')}</Badge>}
      </legend>
      <div className="server-group-body">
        {isFixed && <Fixed by={which === 'provider_a' ? 'VITRINE_PROVIDER_A_ISSUER' : 'VITRINE_PROVIDER_B_ISSUER'} />}
        <SettingsFormBox form={form}>
          {field(
            `${which}_issuer`,
            t('server.issuer'),
            which === 'provider_a' ? t('server.issuerHint') : t('server.issuerHintTenant'),
          )}
          <div className="server-fields">
            {field(`${which}_client_id`, t('server.clientId'), t('server.clientIdHint', { origin }))}
            {which === 'provider_b' && field('provider_b_tenant_id', t('server.tenantId'), t('server.tenantIdHint'))}
          </div>
          {which === 'provider_b' &&
            field('provider_b_profile_url', t('server.profileUrl'), t('server.profileUrlHint'))}
          <Checkbox
            hint={t('server.ownsAddressesHint')}
            isSelected={Boolean(form.now[`${which}_owns_addresses`])}
            isDisabled={isFixed}
            onChange={(on) => form.set({ [`${which}_owns_addresses`]: on ? 1 : 0 })}
          >
            {t('server.ownsAddresses')}
          </Checkbox>
        </SettingsFormBox>
        {isOn && (
          <div className="form-actions">
            <Button
              size="small"
              icon={PlugZap}
              isPending={test.isPending}
              isDisabled={form.changed}
              onPress={() => test.mutate()}
            >
              {t('server.askProvider')}
            </Button>
          </div>
        )}
        {test.data && !form.changed && (
          <Notice
            tone={test.data.ok ? 'good' : 'bad'}
            title={test.data.ok ? t('server.providerAnswers') : t('server.providerSilent')}
          >
            {test.data.text}
          </Notice>
        )}
      </div>
    </fieldset>
  );
}
