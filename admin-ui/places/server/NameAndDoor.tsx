import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ServerSettings, updateServerSettings } from '../../../shared/contract/server.ts';
import { Button } from '../../components/Button.tsx';
import { Switch } from '../../components/Choices.tsx';
import { Bone } from '../../components/Page.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { serverSettingsQuery } from '../../data/server.ts';
import { useEdit } from '../../data/useEdit.ts';
import { fitsServerName } from '../../data/validation.ts';
import { ServerCard } from './ServerCard.tsx';

export function NameAndDoor() {
  const { t } = useTranslation();
  const settings = useQuery(serverSettingsQuery).data;
  return (
    <ServerCard part="name" title={t('server.parts.name')} lead={t('server.nameLead')}>
      {settings ? <Form settings={settings} /> : <Bone height="5rem" />}
    </ServerCard>
  );
}

function Form({ settings }: { settings: ServerSettings }) {
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
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (changed && !tooLong) save.mutate({ name: name.trim() });
        }}
      >
        <TextField
          label={t('server.nameField')}
          value={name ?? settings.name}
          onChange={setName}
          error={tooLong ? t('setUp.storeTooLong') : undefined}
        />
        {changed && (
          <div className="form-actions">
            <Button type="submit" variant="primary" isPending={save.isPending} isDisabled={tooLong}>
              {t('common.save')}
            </Button>
            <Button variant="quiet" onPress={() => setName(undefined)}>
              {t('common.discard')}
            </Button>
          </div>
        )}
      </form>
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
