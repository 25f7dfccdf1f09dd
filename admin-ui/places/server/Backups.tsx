import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, HardDriveDownload, RotateCcw, ShieldCheck, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
  type Backup,
  deleteBackup,
  type LastRestore,
  makeBackup,
  testBackup,
  type UpkeepSettings,
} from '../../../shared/contract/upkeep.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Choices.tsx';
import { FormDialog } from '../../components/Dialog.tsx';
import { Badge, Bone, Notice } from '../../components/Page.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { useNow } from '../../components/useNow.ts';
import { client } from '../../data/client.ts';
import { backupsQuery, saveBackup } from '../../data/server.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useProblem } from '../../data/useProblem.ts';
import { writeHour } from '../../i18n/civil.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ConfirmEdit } from '../../parts/ConfirmEdit.tsx';
import { LastRestoreNotice, RestoreBackup } from './RestoreBackup.tsx';
import { ServerCard } from './ServerCard.tsx';
import { SettingsFormBox, WholeField } from './UpkeepFields.tsx';
import { useUpkeepForm } from './useSettingsForm.ts';

/** What came of a restore is told for a week. */
const RESTORE_TOLD_S = 7 * 86_400;

export function Backups({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const state = useQuery(backupsQuery).data;
  const [choosing, setChoosing] = useState(false);
  const make = useEdit({
    topics: ['settings'],
    run: (complete: boolean) => client.call(makeBackup, { body: { complete } }),
    said: (backup) => t('server.backupMade', { size: format.bytes(backup.bytes) }),
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return false;
      toast({ tone: 'note', text: t('server.backupRunning') });
      return true;
    },
  });
  const running = make.isPending || state?.running === true;
  return (
    <ServerCard
      part="backups"
      title={t('server.parts.backups')}
      lead={state?.next_at ? t('server.nextBackup', { ago: format.ago(state.next_at, now) }) : t('server.backupsLead')}
      actions={
        <Button size="small" icon={HardDriveDownload} isPending={running} onPress={() => setChoosing(true)}>
          {running ? t('server.backupRunning') : t('server.makeBackup')}
        </Button>
      }
    >
      {!state && <Bone height="6rem" />}
      {state?.last_error && (
        <Notice tone="bad" title={t('server.problems.backup_failed')}>
          {worded(state.last_error)}
        </Notice>
      )}
      {state?.last_restore && now - state.last_restore.at < RESTORE_TOLD_S && (
        <LastRestoreNotice last={state.last_restore} />
      )}
      {state && state.backups.length === 0 && <p className="note">{t('server.noBackups')}</p>}
      {state && state.backups.length > 0 && (
        <ul className="backup-list">
          {state.backups.map((backup) => (
            <BackupRow key={backup.name} backup={backup} lastRestore={state.last_restore} />
          ))}
        </ul>
      )}
      {children}
      {choosing && (
        <MakeBackup
          onClose={() => setChoosing(false)}
          onMake={(complete) => {
            setChoosing(false);
            make.mutate(complete);
          }}
        />
      )}
    </ServerCard>
  );
}

function BackupRow({ backup, lastRestore }: { backup: Backup; lastRestore: LastRestore | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const [restoring, setRestoring] = useState(false);
  const tryIt = useEdit({
    topics: [],
    run: () => client.call(testBackup, { params: { name: backup.name } }),
    said: ({ media_files, media_missing }) =>
      media_missing === 0
        ? t('server.backupGood', { count: media_files })
        : t('server.backupLacks', { count: media_missing }),
  });
  const save = useMutation({ mutationFn: () => saveBackup(backup.name), onError: useProblem() });
  const when = backup.made_at === null ? backup.name : format.dateTime(backup.made_at);
  return (
    <li className="list-row backup-row">
      <div className="row-what">
        <strong>{when}</strong>
        <small>
          {[
            format.bytes(backup.bytes),
            t('server.backupFiles', { count: backup.media_files }),
            backup.version && t('server.backupVersion', { version: backup.version }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
      {backup.damage && <Badge tone="bad">{t('server.damaged')}</Badge>}
      {backup.media_missing > 0 && <Badge tone="warn">{t('server.missing', { count: backup.media_missing })}</Badge>}
      {backup.complete && <Badge>{t('server.complete')}</Badge>}
      <span className="backup-actions">
        {!backup.damage && (
          <>
            <IconButton
              icon={ShieldCheck}
              label={t('server.testBackup', { when })}
              isPending={tryIt.isPending}
              onPress={() => tryIt.mutate()}
            />
            <IconButton
              icon={RotateCcw}
              label={t('server.restoreBackup', { when })}
              onPress={() => setRestoring(true)}
            />
          </>
        )}
        <IconButton
          icon={Download}
          label={t('server.downloadBackup', { when })}
          isPending={save.isPending}
          onPress={() => save.mutate()}
        />
        <IconButton icon={Trash2} label={t('server.deleteBackup', { when })} onPress={() => setAsking(true)} />
      </span>
      {restoring && (
        <RestoreBackup backup={backup} when={when} before={lastRestore} onClose={() => setRestoring(false)} />
      )}
      {asking && (
        <ConfirmEdit
          topics={['settings']}
          run={() => client.call(deleteBackup, { params: { name: backup.name } })}
          said={() => t('server.backupDeleted')}
          title={t('server.deleteBackupAsk', { when })}
          confirm={t('common.delete')}
          danger
          onClose={() => setAsking(false)}
        >
          <p>{t('server.deleteBackupHelp')}</p>
        </ConfirmEdit>
      )}
    </li>
  );
}

const kinds = ['daily', 'complete'] as const;

function MakeBackup({ onMake, onClose }: { onMake: (complete: boolean) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<(typeof kinds)[number]>('daily');
  return (
    <FormDialog
      title={t('server.makeBackup')}
      onClose={onClose}
      onSubmit={() => onMake(kind === 'complete')}
      submit={t('server.begin')}
    >
      <p>{t('server.makeBackupHelp')}</p>
      <RadioCards
        label={t('server.backupKind')}
        value={kind}
        onChange={setKind}
        options={kinds.map((value) => ({
          value,
          label: t(`server.kinds.${value}`),
          hint: t(`server.kindHints.${value}`),
        }))}
      />
    </FormDialog>
  );
}

const HOUR_MS = 3_600_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

export function BackupPlan({ settings }: { settings: UpkeepSettings }) {
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
