import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Rocket, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { deleteRelease, type Release, startRollout, uploadRelease } from '../../../shared/contract/server/updates.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { groupsQuery } from '../../api/groups.ts';
import { client } from '../../api/requests/client.ts';
import { sendFile } from '../../api/requests/sendFile.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { Badge, Progress, Section } from '../../components/frame/Page.tsx';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { type Target, TargetPicker } from '../../domain/screens/TargetPicker.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { bytesOf, hasForScreens, inSendingOrder, machinesOf } from './updates.utils.ts';
import '../../components/lists/Table.css';

/** List of the server's releases, newest first, and a button to upload another release. */
export function Releases({ releases, busy }: { releases: readonly Release[]; busy: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const upload = useReleaseUpload();
  return (
    <Section
      title={t('updates.releases')}
      lead={t('updates.releasesLead')}
      actions={
        <FileTrigger allowsMultiple onSelect={(files) => files && upload.send([...files])}>
          <Button size="small" icon={Upload} isPending={upload.isPending}>
            {t('content.uploadFiles')}
          </Button>
        </FileTrigger>
      }
    >
      {upload.isPending && (
        <div className="updates-way" role="status">
          <Progress share={upload.share} label={t('common.arrived')} />
          <p>{t('updates.sent', { file: upload.file, share: format.percent(upload.share) })}</p>
        </div>
      )}
      {releases.length === 0 ? (
        <p className="note">{t('updates.none')}</p>
      ) : (
        <ul className="table-box">
          {releases.map((release) => (
            <ReleaseRow key={release.id} release={release} busy={busy} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function ReleaseRow({ release, busy }: { release: Release; busy: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState<'start' | 'delete'>();
  const close = () => setAsking(undefined);
  return (
    <li className="list-row updates-row">
      <div className="row-what">
        <strong>{t('updates.version', { version: release.version })}</strong>
        <small>
          {[
            machinesOf(release.files).join(', '),
            format.bytes(bytesOf(release)),
            t('playlists.screens', { count: release.screens }),
          ].join(' · ')}
        </small>
        {!release.signatures_checked && <small>{t('updates.unchecked')}</small>}
      </div>
      <Button
        size="small"
        icon={Rocket}
        isDisabled={busy || !hasForScreens(release.files)}
        onPress={() => setAsking('start')}
      >
        {t('updates.start')}
      </Button>
      <IconButton
        icon={Trash2}
        label={t('updates.delete', { version: release.version })}
        onPress={() => setAsking('delete')}
      />
      <ul className="updates-files">
        {release.files.map(({ name, signature }) => (
          <li key={name}>
            <span>{name}</span>
            <Badge tone={signature === null ? 'warn' : 'good'}>
              {t(signature === null ? 'updates.unsigned' : 'updates.signed')}
            </Badge>
          </li>
        ))}
      </ul>
      {asking === 'start' && <StartRollout release={release} onClose={close} />}
      {asking === 'delete' && (
        <ConfirmEdit
          topics={['settings']}
          run={() => client.call(deleteRelease, { params: { id: release.id } })}
          said={() => t('updates.deleted', { version: release.version })}
          title={t('updates.deleteAsk', { version: release.version })}
          confirm={t('common.delete')}
          danger
          onClose={close}
        >
          <p>{t('updates.deleteHelp')}</p>
        </ConfirmEdit>
      )}
    </li>
  );
}

const SCREENS = ['device'] as const;
const GROUPS = ['group'] as const;

/**
 * Dialog that starts a rollout: one screen tests the version first, then optionally some groups, then all other
 * screens.
 */
function StartRollout({ release, onClose }: { release: Release; onClose: () => void }) {
  const { t } = useTranslation();
  const hasGroups = (useQuery(groupsQuery).data ?? []).length > 0;
  const [first, setFirst] = useState<string | null>(null);
  const [groups, setGroups] = useState<readonly Target[]>([]);
  const [minutes, setMinutes] = useState<number | null>(15);
  const start = useEdit({
    topics: ['settings'],
    run: () =>
      client.call(startRollout, {
        body: {
          release_id: release.id,
          first_device_id: first ?? '',
          group_ids: groups.map(({ id }) => id),
          ...(minutes !== null && { minutes }),
        },
      }),
    said: () => t('updates.started', { version: release.version }),
    done: onClose,
  });
  return (
    <FormDialog
      title={t('updates.startTitle', { version: release.version })}
      onClose={onClose}
      onSubmit={() => first !== null && start.mutate()}
      submit={t('updates.start')}
      isPending={start.isPending}
      isDisabled={first === null}
    >
      <p>{t('updates.startHelp')}</p>
      <SubjectPicker
        label={t('updates.stages.first')}
        hint={t('updates.firstHint')}
        kinds={SCREENS}
        value={first === null ? null : { kind: 'device', id: first }}
        onChange={(screen) => setFirst(screen?.id ?? null)}
      />
      {hasGroups && <TargetPicker label={t('updates.groups')} kinds={GROUPS} value={groups} onChange={setGroups} />}
      <NumberField
        label={t('updates.minutes')}
        hint={t('updates.minutesHint')}
        unit="min"
        min={2}
        max={1440}
        value={minutes}
        onChange={setMinutes}
      />
    </FormDialog>
  );
}

/**
 * Uploads the files of a release one after the other, signatures last. Stops at the first file that the server
 * refuses.
 */
const useReleaseUpload = () => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [way, setWay] = useState({ file: '', share: 0 });
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      let release: Release | undefined;
      for (const file of inSendingOrder(files)) {
        setWay({ file: file.name, share: 0 });
        release = await sendFile<Release>(uploadRelease, file, {
          onShare: (share) => setWay({ file: file.name, share }),
        });
      }
      return release;
    },
    onSuccess: (release) =>
      release && toast({ tone: 'done', text: t('updates.uploaded', { version: release.version }) }),
    onError: useProblem(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['server'] }),
  });
  return { ...way, isPending: upload.isPending, send: (files: readonly File[]) => upload.mutate(files) };
};
