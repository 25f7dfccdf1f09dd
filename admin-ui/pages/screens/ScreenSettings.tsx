import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type DeviceDetail, Orientation, updateDevice } from '../../../shared/contract/screens/devices.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { screenQuery } from '../../api/screens.ts';
import { toast } from '../../components/controls/toasts.ts';
import { ChangeForm } from '../../components/fields/Form.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { TimeZoneField } from '../../components/fields/TimeZoneField.tsx';
import { FallbackPicker } from '../../domain/content/FallbackPicker.tsx';
import { TagPicker } from '../../domain/screens/TagPicker.tsx';
import { OpeningHours } from './OpeningHours.tsx';
import { OrientationField } from './OrientationField.tsx';

type Draft = Pick<
  DeviceDetail,
  'name' | 'notes' | 'timezone' | 'orientation' | 'opening_hours' | 'tags' | 'default_content_id'
>;
const draftOf = ({
  name,
  notes,
  timezone,
  orientation,
  opening_hours,
  tags,
  default_content_id,
}: DeviceDetail): Draft => ({
  name,
  notes,
  timezone,
  orientation,
  opening_hours,
  tags,
  default_content_id,
});

export function ScreenSettings({
  detail,
  etag,
  canWrite,
}: {
  detail: DeviceDetail;
  etag: string | undefined;
  canWrite: boolean;
}) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  /** Values that this user has changed and not saved. All other values follow the stored record. */
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const draft = { ...draftOf(detail), ...changes };
  const dirty = (Object.keys(changes) as (keyof Draft)[]).some(
    (key) => JSON.stringify(changes[key]) !== JSON.stringify(detail[key]),
  );
  const change = (part: Partial<Draft>) => setChanges((now) => ({ ...now, ...part }));
  const save = useEdit({
    topics: ['devices'],
    run: () => client.call(updateDevice, { params: { id: detail.id }, body: changes, ifMatch: etag }),
    said: () => t('screen.saved'),
    done: () => setChanges({}),
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 412) return false;
      void queries.invalidateQueries({ queryKey: screenQuery(detail.id).queryKey });
      setChanges({});
      toast({ tone: 'problem', text: t('screen.changedByOther'), detail: t('screen.changedByOtherHelp') });
      return true;
    },
  });
  return (
    <ChangeForm
      changed={dirty}
      isPending={save.isPending}
      onSave={() => save.mutate()}
      onDiscard={() => setChanges({})}
    >
      <TextField
        label={t('common.name')}
        value={draft.name}
        onChange={(name) => change({ name })}
        isRequired
        maxLength={200}
        isDisabled={!canWrite}
      />
      <OrientationField
        value={Orientation.parse(draft.orientation)}
        onChange={(orientation) => change({ orientation })}
        isDisabled={!canWrite}
      />
      <TimeZoneField
        label={t('screen.timezone')}
        hint={t('screen.timezoneHint')}
        value={draft.timezone}
        onChange={(timezone) => change({ timezone })}
        isDisabled={!canWrite}
      />
      <OpeningHours
        value={draft.opening_hours}
        onChange={(opening_hours) => change({ opening_hours })}
        isDisabled={!canWrite}
      />
      <TagPicker
        label={t('tags.title')}
        hint={t('tags.hint')}
        value={draft.tags}
        onChange={(tags) => change({ tags })}
        isDisabled={!canWrite}
      />
      <FallbackPicker
        of="screen"
        value={draft.default_content_id}
        onChange={(default_content_id) => change({ default_content_id })}
        targets={[{ kind: 'device', id: detail.id }]}
        isDisabled={!canWrite}
      />
      <TextField
        label={t('screen.notes')}
        hint={t('screen.notesHint')}
        value={draft.notes}
        onChange={(notes) => change({ notes })}
        multiline
        maxLength={4000}
        isDisabled={!canWrite}
      />
    </ChangeForm>
  );
}
