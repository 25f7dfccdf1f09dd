import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ServerSettings, updateServerSettings } from '../../../shared/contract/server.ts';
import { Bone } from '../../components/Page.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { serverSettingsQuery } from '../../data/server.ts';
import { ServerCard } from './ServerCard.tsx';
import { hostsIn } from './server.utils.ts';
import { SettingsFormBox } from './UpkeepFields.tsx';
import { useSettingsForm } from './useSettingsForm.ts';

/** Names under which people open this server. Pages elsewhere could reach it through any other. */
export function Names() {
  const { t } = useTranslation();
  const settings = useQuery(serverSettingsQuery).data;
  return (
    <ServerCard part="names" title={t('server.parts.names')} lead={t('server.namesLead')}>
      {settings ? <Form settings={settings} /> : <Bone height="5rem" />}
    </ServerCard>
  );
}

function Form({ settings: { names } }: { settings: ServerSettings }) {
  const { t } = useTranslation();
  const form = useSettingsForm<Pick<ServerSettings, 'names'>, Pick<ServerSettings, 'names'>>({ names }, (body) =>
    client.call(updateServerSettings, { body }),
  );
  const [typed, setTyped] = useState('');
  // An empty last line is on its way to being one; what was discarded, or came from elsewhere, is shown as it is.
  const value = hostsIn(typed).join() === form.now.names.join() ? typed : form.now.names.join('\n');
  return (
    <SettingsFormBox form={form}>
      <TextField
        multiline
        label={t('server.namesField')}
        hint={t('server.namesHint')}
        value={value}
        onChange={(next) => {
          setTyped(next);
          form.set({ names: hostsIn(next) });
        }}
        spellCheck="false"
        autoComplete="off"
      />
    </SettingsFormBox>
  );
}
