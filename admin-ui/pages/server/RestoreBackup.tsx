import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Backup,
  type BackupsState,
  type BackupTest,
  type BackupWork,
  type LastRestore,
  restoreBackup,
  testBackup,
  watchRestore,
} from '../../../shared/contract/server/upkeep.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { backupsQuery } from '../../api/server.ts';
import { session } from '../../api/session/session.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog, FormDialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { startOver } from '../../components/frame/leaving.ts';
import { Bone, Notice } from '../../components/frame/Page.tsx';
import { useProof } from '../../domain/people/Proof.tsx';
import { StepsOfWork } from '../../domain/saving/StepsOfWork.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { WorkBar } from './WorkProgress.tsx';

const LOOK_EVERY_MS = 700;
/** Milliseconds without an answer of the server after which somebody has to check the server. */
const PATIENCE_MS = 120_000;
/** Seconds for which the result of a restore is shown and undo is offered. */
const TOLD_S = 7 * 86_400;

/** Phases of a restore in their order. The old server process runs during the first two. */
const phases = ['test', 'backup', 'restore', 'start'] as const;
type Phase = (typeof phases)[number];
type At = { readonly phase: Phase; readonly work: BackupWork | null };

/** Waits until the server is back, and resolves to the result of the restore. @param told called with the progress */
const untilBack = async (watch: string, told: (at: At) => void): Promise<LastRestore> => {
  let heardAt = performance.now();
  for (;;) {
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    try {
      const { work, outcome } = await client.call(watchRestore, { params: { watch } });
      if (outcome) return outcome;
      heardAt = performance.now();
      if (work?.what === 'restore') told({ phase: 'restore', work });
    } catch {
      // No server answers between the end of the old process and the start of the new process.
      told({ phase: 'start', work: null });
    }
    if (performance.now() - heardAt > PATIENCE_MS) throw new Error('late');
  }
};

type RestoreBackupProps = {
  backup: Backup;
  when: string;
  /** The proof of identity that the server requires for a restore. */
  proof: BackupsState['proof'];
  onClose: () => void;
};

/**
 * Dialog that explains a restore, asks for the proof of identity if necessary, and waits until the server is back.
 */
export function RestoreBackup({ backup, when, proof, onClose }: RestoreBackupProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const proving = useProof(proof);
  const [agreed, setAgreed] = useState(backup.foreign === 0);
  const [at, setAt] = useState<At>();
  const params = { name: backup.name };
  const tried = useQuery({
    queryKey: ['server', 'backups', backup.name, 'test'],
    queryFn: ({ signal }) => client.call(testBackup, { params, signal }),
    retry: false,
    // Not cached, since an older answer would not contain the latest records.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const restore = useMutation({
    mutationFn: async () => {
      setAt({ phase: 'test', work: null });
      const { watch } = await client.call(restoreBackup, { params, body: proving.body });
      setAt({ phase: 'restore', work: null });
      return untilBack(watch, setAt).catch(() => 'late' as const);
    },
    onSuccess: (outcome) => {
      if (outcome === 'late') toast({ tone: 'problem', text: t('server.restoreLate') });
      // The restored server has other accounts, so the user has to sign in again.
      else if (backup.foreign === 1 && outcome.error === null) {
        session.end({ onPurpose: true });
        return startOver('/sign-in');
      }
      void queries.invalidateQueries();
      onClose();
    },
    onError: (error) => {
      setAt(undefined);
      if (!proving.refused(error)) tell(error);
    },
  });
  if (at && restore.isPending) return <RestoreWay when={when} at={at} onClose={onClose} />;
  return (
    <FormDialog
      title={t('server.restoreAsk', { when })}
      onClose={onClose}
      onSubmit={() => restore.mutate()}
      submit={t('server.restore')}
      variant="danger"
      isPending={restore.isPending}
      isDisabled={!tried.data || !agreed || !proving.isPossible}
    >
      {backup.foreign === 1 && (
        <Notice tone="warn" title={t('server.foreignTitle', { name: backup.server_name ?? t('server.unnamed') })}>
          {t('server.foreignHelp')}
        </Notice>
      )}
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
      {tried.data && <Differences test={tried.data} foreign={backup.foreign === 1} />}
      {tried.data && (
        <>
          <p>{t('server.restoreHelp')}</p>
          {backup.foreign === 1 && (
            <Checkbox isSelected={agreed} onChange={setAgreed}>
              {t('server.foreignAgree')}
            </Checkbox>
          )}
          {proving.fields}
        </>
      )}
    </FormDialog>
  );
}

/** Lists the finished steps, the current step with its progress, and the following steps. */
function RestoreWay({ when, at, onClose }: { when: string; at: At; onClose: () => void }) {
  const { t } = useTranslation();
  // The server itself reports the step until it restarts.
  const before = at.phase === 'test';
  const { data } = useQuery({ ...backupsQuery, refetchInterval: LOOK_EVERY_MS, enabled: before });
  const work = before ? (data?.work ?? null) : at.work;
  const phase: Phase = before && work?.what === 'backup' ? 'backup' : at.phase;
  return (
    <Dialog title={t('server.restoring', { when })} onClose={onClose}>
      <StepsOfWork steps={phases.map((each) => t(`server.restorePhases.${each}`))} reached={phases.indexOf(phase)}>
        {work && <WorkBar work={work} />}
      </StepsOfWork>
      <p>{t('server.restoringHelp')}</p>
    </Dialog>
  );
}

type Difference = BackupTest['differences'][number];

const useDifferences = (differences: readonly Difference[], plays: number) => {
  const { t } = useTranslation();
  const list = (part: 'added' | 'changed' | 'removed'): string[] =>
    differences
      .filter((difference) => difference[part] > 0)
      .map((difference) => t(`server.kindsCounted.${difference.kind}`, { count: difference[part] }));
  return {
    lost: [...list('added'), ...(plays > 0 ? [t('server.playsCounted', { count: plays })] : [])],
    changed: list('changed'),
    back: list('removed'),
  };
};

/** Lists what a restore would remove and bring back, and whether the media files still exist. */
function Differences({ test, foreign }: { test: BackupTest; foreign: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { lost, changed, back } = useDifferences(test.differences, test.plays);
  const lines = [
    { key: 'lost', text: t(foreign ? 'server.wouldLeave' : 'server.wouldGo'), what: lost },
    { key: 'changed', text: t('server.wouldChange'), what: changed },
    { key: 'back', text: t(foreign ? 'server.wouldCome' : 'server.wouldComeBack'), what: back },
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

/** Notice with the result of the last restore, and a button that undoes it while this is offered. */
export function LastRestoreNotice({ last, state, now }: { last: LastRestore; state: BackupsState; now: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [returning, setReturning] = useState(false);
  const { lost, changed } = useDifferences(last.differences, last.plays);
  if (now - last.at >= TOLD_S) return null;
  if (last.error !== null)
    return (
      <Notice tone="bad" title={t('server.restoreFailed')}>
        {worded(last.error)}
      </Notice>
    );
  const safety = state.backups.find(({ name, damage }) => name === last.safety && damage === null);
  const facts = { when: format.dateTime(last.made_at ?? last.at), at: format.dateTime(last.at), by: last.by };
  const sentences = [
    t('server.restoredHelp', facts),
    lost.length > 0 && t('server.restoredLost', { what: format.list(lost) }),
    changed.length > 0 && t('server.restoredChanged', { what: format.list(changed) }),
    last.media_missing > 0 && `${t('server.missing', { count: last.media_missing })}.`,
    safety && t('server.restoredBack', { until: format.date(last.at + TOLD_S) }),
  ];
  return (
    <>
      <Notice
        tone={last.media_missing > 0 ? 'warn' : 'info'}
        title={t('server.restored', facts)}
        actions={
          safety && (
            <Button size="small" isDisabled={state.folder_error !== null} onPress={() => setReturning(true)}>
              {t('server.wayBack')}
            </Button>
          )
        }
      >
        {sentences.filter(Boolean).join(' ')}
      </Notice>
      {returning && safety && (
        <RestoreBackup
          backup={safety}
          when={format.dateTime(safety.made_at ?? last.at)}
          proof={state.proof}
          onClose={() => setReturning(false)}
        />
      )}
    </>
  );
}
