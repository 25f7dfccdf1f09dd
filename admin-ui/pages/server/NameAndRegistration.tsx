import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ServerSettings, updateServerSettings } from '../../../shared/contract/server/server.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { fitsServerName } from '../../api/editing/validation.ts';
import { client } from '../../api/requests/client.ts';
import { serverSettingsQuery } from '../../api/server.ts';
import { Switch } from '../../components/choices/Choices.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { ChangeForm } from '../../components/fields/Form.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { ServerCard } from './ServerCard.tsx';
import { hostsIn } from './server.utils.ts';
import { SettingsFormBox } from './UpkeepFields.tsx';
import { useSettingsForm } from './useSettingsForm.ts';

export function NameAndRegistration() {
  const { t } = useTranslation();
  const settings = useQuery(serverSettingsQuery).data;
  return (
    <ServerCard part="name" title={t('server.parts.name')} lead={t('server.nameLead')}>
      {settings ? <NameForm settings={settings} /> : <Bone height="5rem" />}
    </ServerCard>
  );
}

function NameForm({ settings }: { settings: ServerSettings }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  const save = useEdit({
    topics: ['settings'],
    run: (body: Partial<ServerSettings>) => client.call(updateServerSettings, { body }),
    done: (_, body) => {
      if (body.name === undefined) return;
      setName(undefined);
      toast({ tone: 'done', text: t('server.nameSaved', { name: body.name }) });
    },
  });
  const changed = name !== undefined && name.trim() !== '' && name !== settings.name;
  const tooLong = name !== undefined && !fitsServerName(name);
  return (
    <>
      <ChangeForm
        changed={changed}
        valid={!tooLong}
        isPending={save.isPending}
        onSave={() => save.mutate({ name: name!.trim() })}
        onDiscard={() => setName(undefined)}
      >
        <TextField
          label={t('server.nameField')}
          value={name ?? settings.name}
          onChange={setName}
          error={tooLong ? t('setUp.storeTooLong') : undefined}
        />
      </ChangeForm>
      <Switch
        hint={t('server.openHint')}
        isSelected={
          (save.isPending && save.variables.registration ? save.variables.registration : settings.registration) ===
          'open'
        }
        onChange={(open) => save.mutate({ registration: open ? 'open' : 'closed' })}
      >
        {t('server.open')}
      </Switch>
    </>
  );
}

/**
 * Section for the host names of this server. The server refuses other names, since foreign web pages could access it
 * under them (DNS rebinding).
 */
export function Names() {
  const { t } = useTranslation();
  const settings = useQuery(serverSettingsQuery).data;
  return (
    <ServerCard part="names" title={t('server.parts.names')} lead={t('server.namesLead')}>
      {settings ? <NamesForm settings={settings} /> : <Bone height="5rem" />}
    </ServerCard>
  );
}

function NamesForm({ settings: { names } }: { settings: ServerSettings }) {
  const { t } = useTranslation();
  const form = useSettingsForm<Pick<ServerSettings, 'names'>, Pick<ServerSettings, 'names'>>({ names }, (body) =>
    client.call(updateServerSettings, { body }),
  );
  const [typed, setTyped] = useState('');
  // Shows the typed text while it means the same hosts as the draft, so that an empty last line stays. Otherwise the
  // value was discarded or changed elsewhere and is shown as it is.
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
