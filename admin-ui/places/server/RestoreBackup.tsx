import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
  type Backup,
  type BackupTest,
  type LastRestore,
  listBackups,
  restoreBackup,
  testBackup,
} from '../../../shared/contract/upkeep.ts';
import { Dialog, FormDialog } from '../../components/Dialog.tsx';
import { Bone, Notice } from '../../components/Page.tsx';
import { PasswordField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useProblem } from '../../data/useProblem.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';

const LOOK_EVERY_MS = 700;
/** A server that is not back by then needs somebody to look at it. */
const PATIENCE_MS = 120_000;

/**
 * Resolves when the server has restarted: with what came of it, or undefined when the session did not exist yet in that
 * backup, so that one signs in again.
 */
const untilBack = async (backup: string, before: LastRestore | null): Promise<LastRestore | undefined> => {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    try {
      const { last_restore: now } = await client.call(listBackups);
      if (now && now.backup === backup && now.at !== before?.at) return now;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return undefined;
    }
    if (performance.now() > end) throw new Error('late');
  }
};

/** Says what going back means, asks who it is, and waits until the server is there again. */
export function RestoreBackup({
  backup,
  when,
  before,
  onClose,
}: {
  backup: Backup;
  when: string;
  /** The newest restore until now. */
  before: LastRestore | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string>();
  const params = { name: backup.name };
  const tried = useQuery({
    queryKey: ['server', 'backups', backup.name, 'test'],
    queryFn: ({ signal }) => client.call(testBackup, { params, signal }),
    retry: false,
    // What was made a minute ago would be missing in an older answer.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const wait = useMutation({
    mutationFn: () => untilBack(backup.name, before),
    onSuccess: () => {
      void queries.invalidateQueries();
      onClose();
    },
    onError: () => {
      toast({ tone: 'problem', text: t('server.restoreLate') });
      onClose();
    },
  });
  const restore = useMutation({
    // Who signs in elsewhere has none here.
    mutationFn: () => client.call(restoreBackup, { params, body: password === '' ? {} : { password } }),
    onSuccess: () => wait.mutate(),
    onError: (error) => {
      if (error instanceof ApiError && (error.code === 'wrong_password' || error.status === 400))
        setWrong(t('server.restoreWrongPassword'));
      else tell(error);
    },
  });
  if (wait.isPending)
    return (
      <Dialog title={t('server.restoring', { when })} onClose={onClose}>
        <p role="status">{t('server.restoringHelp')}</p>
        <Bone height="0.5rem" />
      </Dialog>
    );
  return (
    <FormDialog
      title={t('server.restoreAsk', { when })}
      onClose={onClose}
      onSubmit={() => restore.mutate()}
      submit={t('server.restore')}
      variant="danger"
      isPending={restore.isPending}
      isDisabled={!tried.data}
    >
      {tried.isPending && (
        <>
          <p role="status">{t('server.trying')}</p>
          <Bone height="4rem" />
        </>
      )}
      {tried.error && (
        <Notice tone="bad" title={t('server.cannotRestore')}>
          {tried.error.message}
        </Notice>
      )}
      {tried.data && <Differences test={tried.data} />}
      {tried.data && (
        <>
          <p>{t('server.restoreHelp')}</p>
          <PasswordField
            label={t('server.restorePassword')}
            value={password}
            onChange={(next) => {
              setWrong(undefined);
              setPassword(next);
            }}
            error={wrong}
            autoComplete="current-password"
            autoFocus
          />
        </>
      )}
    </FormDialog>
  );
}

/** What would be lost, what would come back, and whether the files are there. */
function Differences({ test }: { test: BackupTest }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list = (part: 'added' | 'changed' | 'removed'): string[] =>
    test.differences
      .filter((difference) => difference[part] > 0)
      .map((difference) => t(`server.kindsCounted.${difference.kind}`, { count: difference[part] }));
  const plays = test.plays > 0 ? [t('server.playsCounted', { count: test.plays })] : [];
  const lines = [
    { key: 'lost', text: t('server.wouldGo'), what: [...list('added'), ...plays] },
    { key: 'changed', text: t('server.wouldChange'), what: list('changed') },
    { key: 'back', text: t('server.wouldComeBack'), what: list('removed') },
  ].filter(({ what }) => what.length > 0);
  return (
    <>
      {lines.length === 0 ? (
        <p>{t('server.noDifference')}</p>
      ) : (
        <dl className="restore-lines">
          {lines.map(({ key, text, what }) => (
            <div key={key}>
              <dt>{text}</dt>
              <dd>{format.list(what)}</dd>
            </div>
          ))}
        </dl>
      )}
      {test.media_missing > 0 && (
        <Notice tone="warn" title={t('server.missing', { count: test.media_missing })}>
          {t('server.restoreMissing')}
        </Notice>
      )}
    </>
  );
}

/** What came of the last restore, for a week. */
export function LastRestoreNotice({ last }: { last: LastRestore }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (last.error !== null)
    return (
      <Notice tone="bad" title={t('server.restoreFailed')}>
        {worded(last.error)}
      </Notice>
    );
  const facts = { when: format.dateTime(last.made_at ?? last.at), at: format.dateTime(last.at), by: last.by };
  return (
    <Notice tone={last.media_missing > 0 ? 'warn' : 'info'} title={t('server.restored', facts)}>
      {t('server.restoredHelp', facts)}
      {last.media_missing > 0 && ` ${t('server.missing', { count: last.media_missing })}.`}
    </Notice>
  );
}
