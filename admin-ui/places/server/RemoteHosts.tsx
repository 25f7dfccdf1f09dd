import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connections } from '../../../shared/contract/server.ts';
import { TextField } from '../../components/TextField.tsx';
import { ServerCard } from './ServerCard.tsx';
import { hostsIn } from './server.utils.ts';
import { SettingsFormBox } from './UpkeepFields.tsx';
import { useConnectionsForm } from './useConnectionsForm.ts';

/** Hosts in the network that contents may come from. What is on the internet needs no permission. */
export function RemoteHosts({ settings }: { settings: Connections }) {
  const { t } = useTranslation();
  const form = useConnectionsForm(settings);
  const [typed, setTyped] = useState('');
  const hosts = form.now.allowed_hosts;
  // An empty last line is on its way to being one; what was discarded, or came from elsewhere, is shown as it is.
  const value = hostsIn(typed).join() === hosts.join() ? typed : hosts.join('\n');
  return (
    <ServerCard part="hosts" title={t('server.parts.hosts')} lead={t('server.hostsLead')}>
      <SettingsFormBox form={form}>
        <TextField
          multiline
          label={t('server.hostsField')}
          hint={t('server.hostsHint')}
          value={value}
          onChange={(next) => {
            setTyped(next);
            form.set({ allowed_hosts: hostsIn(next) });
          }}
          spellCheck="false"
          autoComplete="off"
        />
      </SettingsFormBox>
      {settings.fixed_hosts.length > 0 && (
        <p className="server-note">{t('server.fixedHosts', { hosts: settings.fixed_hosts.join(', ') })}</p>
      )}
    </ServerCard>
  );
}
