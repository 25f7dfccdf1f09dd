import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { FileInput, HardDriveDownload, Package } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
  type BackupsState,
  bringInBackup,
  makeBackup,
  type UpkeepSettings,
} from '../../../shared/contract/server/upkeep.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { sendFile } from '../../api/requests/sendFile.ts';
import { backupsQuery, upkeepQuery } from '../../api/server.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { Bone, Notice, Page } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { FewRows } from '../../domain/records/FewRows.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { writeHour } from '../../i18n/civil.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { BackupRow } from './BackupRow.tsx';
import { LastRestoreNotice } from './RestoreBackup.tsx';
import { ServerCard } from './ServerCard.tsx';
import { SettingsFormBox, WholeField } from './UpkeepFields.tsx';
import { useUpkeepForm } from './useSettingsForm.ts';
import { WorkProgress } from './WorkProgress.tsx';
import '../../components/lists/ListRow.css';
import '../../components/lists/Table.css';
import './server.css';

/** Backups: made by schedule and on demand, downloaded, uploaded, and restored. */
export function BackupsPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const asked = useQuery(backupsQuery);
  const upkeep = useQuery(upkeepQuery).data;
  const state = asked.data;
  const [choosing, setChoosing] = useState(false);
  const make = useMakeBackup();
  const running = make.isPending || state?.running === true;
  const isAway = state?.folder_error != null;
  return (
    <Page
      narrow
      title={t('server.backupsTitle')}
      lead={t('server.backupsLead')}
      actions={
        <>
          <Button icon={Package} isDisabled={isAway || running} onPress={() => setChoosing(true)}>
            {t('server.makeComplete')}
          </Button>
          {/* The main action of the page: Enter does it. */}
          <Button
            autoFocus
            data-first-act
            variant="primary"
            icon={HardDriveDownload}
            isPending={running}
            isDisabled={isAway}
            onPress={() => make.mutate(false)}
          >
            {running ? t('server.backupRunning') : t('server.makeBackup')}
          </Button>
        </>
      }
    >
      <Unanswered query={asked} />
      {state?.folder_error && (
        <Notice tone="bad" title={t('server.backupsAway')}>
          {worded(state.folder_error)}
        </Notice>
      )}
      {state?.last_error && state.last_error !== state.folder_error && (
        <Notice tone="bad" title={t('server.problems.backup_failed')}>
          {worded(state.last_error)}
        </Notice>
      )}
      {state?.last_restore && <LastRestoreNotice last={state.last_restore} state={state} now={now} />}
      <BackupsHere asked={asked} running={running} onComplete={() => setChoosing(true)} />
      {/* After the list, which would move it when it arrives. */}
      {upkeep && (state || asked.isError) && (
        <ServerCard
          part="backup-plan"
          title={t('server.backupPlan')}
          lead={state?.next_at ? t('server.nextBackup', { ago: format.ago(state.next_at, now) }) : undefined}
        >
          <BackupPlan settings={upkeep} />
        </ServerCard>
      )}
      {choosing && (
        <FormDialog
          title={t('server.makeComplete')}
          submit={t('server.begin')}
          onClose={() => setChoosing(false)}
          onSubmit={() => {
            setChoosing(false);
            make.mutate(true);
          }}
        >
          <p>{t('server.makeCompleteHelp')}</p>
        </FormDialog>
      )}
    </Page>
  );
}

/** Makes a backup: of the settings and records (false), or of all files as well (true). */
const useMakeBackup = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return useEdit({
    topics: ['settings'],
    run: (complete: boolean) => client.call(makeBackup, { body: { complete } }),
    said: (backup) => t('server.backupMade', { size: format.bytes(backup.bytes) }),
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return false;
      toast({ tone: 'note', text: t('server.backupRunning') });
      return true;
    },
  });
};

/** The backups in the folder of the server, and the upload of another one. */
function BackupsHere({
  asked,
  running,
  onComplete,
}: {
  asked: UseQueryResult<BackupsState>;
  /** Whether a backup is being made. */
  running: boolean;
  onComplete: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const bring = useBringIn();
  const state = asked.data;
  const isAway = state?.folder_error != null;
  return (
    <ServerCard
      part="backups"
      title={t('server.backupsHere')}
      lead={state?.folder}
      actions={
        <FileTrigger acceptedFileTypes={['.vitrine']} onSelect={(files) => files?.[0] && bring.send(files[0])}>
          <Button size="small" icon={FileInput} isPending={bring.isPending} isDisabled={isAway}>
            {t('server.bringIn')}
          </Button>
        </FileTrigger>
      }
    >
      {bring.isPending && (
        <WorkProgress
          title={t('server.bringingIn', { file: bring.file })}
          work={
            bring.sent < bring.size
              ? { step: 'receiving', done_bytes: bring.sent, total_bytes: bring.size }
              : (state?.work ?? { step: 'reading', done_bytes: 0, total_bytes: 0 })
          }
          onCancel={bring.sent < bring.size ? bring.cancel : undefined}
        />
      )}
      {!bring.isPending && state?.work && (
        <WorkProgress title={t(`server.works.${state.work.what}`)} work={state.work} />
      )}
      {bring.problem && (
        <Notice tone="bad" title={t('server.notBroughtIn', { file: bring.file })}>
          {bring.problem}
        </Notice>
      )}
      {!state && !asked.isError && (
        <>
          <p className="note" role="status">
            {t('server.backupsLooking')}
          </p>
          <Bone height="6rem" />
        </>
      )}
      {state && state.backups.length === 0 && !isAway && <p className="note">{t('server.noBackups')}</p>}
      {state && state.backups.length > 0 && (
        <FewRows
          label={t('server.findBackup')}
          rows={state.backups}
          textOf={(backup) =>
            `${backup.name} ${backup.server_name ?? ''} ${backup.made_at ? format.dateTime(backup.made_at) : ''}`
          }
        >
          {(backup) => (
            <BackupRow
              key={backup.name}
              backup={backup}
              state={state}
              isBusy={running || isAway}
              onComplete={onComplete}
            />
          )}
        </FewRows>
      )}
    </ServerCard>
  );
}

/** The upload of a backup, and its result. */
const useBringIn = () => {
  const { t } = useTranslation();
  const [way, setWay] = useState({ file: '', size: 0, sent: 0 });
  const [cancel, setCancel] = useState<() => void>();
  const [problem, setProblem] = useState<string>();
  const bring = useEdit({
    topics: ['settings'],
    run: (file: File) => {
      const abort = new AbortController();
      setCancel(() => () => abort.abort());
      setProblem(undefined);
      setWay({ file: file.name, size: file.size, sent: 0 });
      const told = (share: number) => setWay({ file: file.name, size: file.size, sent: Math.round(share * file.size) });
      return sendFile(bringInBackup, file, { onShare: told, signal: abort.signal });
    },
    said: () => t('server.broughtInDone'),
    failed: (error) => {
      // The error about a file is shown where it was chosen, and stays.
      if (error.name !== 'AbortError') setProblem(error.message);
      return true;
    },
  });
  return { ...way, isPending: bring.isPending, problem, cancel, send: (file: File) => bring.mutate(file) };
};

const HOUR_MS = 3_600_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

function BackupPlan({ settings }: { settings: UpkeepSettings }) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const form = useUpkeepForm(settings);
  return (
    <SettingsFormBox form={form}>
      <Checkbox isSelected={Boolean(form.now.backup_daily)} onChange={(on) => form.set({ backup_daily: on ? 1 : 0 })}>
        {t('server.daily')}
      </Checkbox>
      {Boolean(form.now.backup_daily) && (
        <div className="server-fields">
          <Select
            label={t('server.backupHour')}
            value={String(form.now.backup_hour)}
            options={hours.map((hour) => ({ value: String(hour), label: writeHour(locale, hour * HOUR_MS) }))}
            onChange={(hour) => form.set({ backup_hour: Number(hour) })}
          />
          <WholeField form={form} name="backup_keep" label={t('server.backupKeep')} />
        </div>
      )}
      <TextField
        label={t('content.folder')}
        hint={t('server.backupFolderHint')}
        value={form.now.backup_folder}
        onChange={(backup_folder) => form.set({ backup_folder })}
        spellCheck="false"
      />
    </SettingsFormBox>
  );
}
