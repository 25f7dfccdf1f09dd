import { useMutation } from '@tanstack/react-query';
import { Download, Package, RotateCcw, ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Backup, type BackupsState, deleteBackup, testBackup } from '../../../shared/contract/server/upkeep.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { saveBackup } from '../../api/server.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { Badge, Notice } from '../../components/frame/Page.tsx';
import { ConfirmEdit } from '../../domain/saving/ConfirmEdit.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { RestoreBackup } from './RestoreBackup.tsx';

type BackupRowProps = {
  backup: Backup;
  state: BackupsState;
  /** True while another operation runs, so that no action is possible. */
  isBusy: boolean;
  /** Creates a backup that has everything in one file. */
  onComplete: () => void;
};

/** Returns whether the downloaded file would lack the pictures and videos of the backup. */
const lacksMedia = ({ complete, media_files }: Backup): boolean => !complete && media_files > 0;

export function BackupRow({ backup, state, isBusy, onComplete }: BackupRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState<'restore' | 'save' | 'delete'>();
  const close = () => setAsking(undefined);
  const tryIt = useEdit({
    topics: [],
    run: () => client.call(testBackup, { params: { name: backup.name } }),
    said: ({ media_files, media_missing }) =>
      media_missing === 0
        ? t('server.backupGood', { count: media_files })
        : t('server.backupLacks', { count: media_missing }),
  });
  const isLacking = lacksMedia(backup);
  const when = backup.made_at === null ? backup.name : format.dateTime(backup.made_at);
  return (
    <li className="list-row backup-row">
      <div className="row-what">
        <strong>{when}</strong>
        <small>
          {[
            format.bytes(backup.bytes),
            t(isLacking ? 'server.backupFilesBeside' : 'server.backupFiles', { count: backup.media_files }),
            backup.version && t('server.backupVersion', { version: backup.version }),
            backup.damage && worded(backup.damage),
            backup.kept_until !== null && t('server.staysUntil', { date: format.date(backup.kept_until) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
      {backup.damage && <Badge tone="bad">{t('server.damaged')}</Badge>}
      {backup.media_missing > 0 && <Badge tone="warn">{t('server.missing', { count: backup.media_missing })}</Badge>}
      {backup.complete && <Badge>{t('server.complete')}</Badge>}
      {backup.brought_in === 1 && <Badge>{t('server.broughtIn')}</Badge>}
      {backup.foreign === 1 && (
        <Badge tone="info">{t('server.ofServer', { name: backup.server_name ?? t('server.unnamed') })}</Badge>
      )}
      <span className="backup-actions">
        {!backup.damage && (
          <>
            <IconButton
              icon={ShieldCheck}
              label={t('server.testBackup', { when })}
              isPending={tryIt.isPending}
              isDisabled={isBusy}
              onPress={() => tryIt.mutate()}
            />
            <IconButton
              icon={RotateCcw}
              label={t('server.restoreBackup', { when })}
              isDisabled={isBusy}
              onPress={() => setAsking('restore')}
            />
          </>
        )}
        <IconButton
          icon={Download}
          label={t(isLacking ? 'server.downloadBackupLacks' : 'server.downloadBackup', { when })}
          isDisabled={isBusy}
          onPress={() => setAsking('save')}
        />
        <IconButton
          icon={Trash2}
          label={t('server.deleteBackup', { when })}
          isDisabled={isBusy}
          onPress={() => setAsking('delete')}
        />
      </span>
      {asking === 'restore' && <RestoreBackup backup={backup} when={when} proof={state.proof} onClose={close} />}
      {asking === 'save' && <SaveBackup backup={backup} when={when} onComplete={onComplete} onClose={close} />}
      {asking === 'delete' && (
        <ConfirmEdit
          topics={['settings']}
          run={() => client.call(deleteBackup, { params: { name: backup.name } })}
          said={() => t('server.backupDeleted')}
          title={t('server.deleteBackupAsk', { when })}
          confirm={t('common.delete')}
          danger
          onClose={close}
        >
          <p>{t('server.deleteBackupHelp')}</p>
        </ConfirmEdit>
      )}
    </li>
  );
}

/** Dialog that describes the content of a backup before the browser downloads it. */
function SaveBackup({
  backup,
  when,
  onComplete,
  onClose,
}: {
  backup: Backup;
  when: string;
  onComplete: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useMutation({ mutationFn: () => saveBackup(backup.name), onSuccess: onClose, onError: useProblem() });
  return (
    <FormDialog
      title={t('server.downloadAsk', { when })}
      submit={t(lacksMedia(backup) ? 'server.downloadWithout' : 'server.download', {
        size: format.bytes(backup.bytes),
      })}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <p>{t('server.downloadSecrets')}</p>
      <p>{t('server.downloadKeep')}</p>
      {lacksMedia(backup) && (
        <Notice
          tone="warn"
          title={t('server.downloadLacks')}
          actions={
            <Button
              size="small"
              icon={Package}
              onPress={() => {
                onClose();
                onComplete();
              }}
            >
              {t('server.makeComplete')}
            </Button>
          }
        />
      )}
    </FormDialog>
  );
}
