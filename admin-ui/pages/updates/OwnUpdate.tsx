import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
  getServerUpdate,
  installServerUpdate,
  returnServerUpdate,
  type ServerUpdate,
  ServerUpdateStep,
} from '../../../shared/contract/server/updates.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { LOOK_AT_UPDATE_MS, ownUpdateQuery } from '../../api/updates.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog, FormDialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { CopyField } from '../../components/fields/CopyField.tsx';
import { startOver } from '../../components/frame/leaving.ts';
import { Bone, Notice, Progress, Section } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { useProof } from '../../domain/people/Proof.tsx';
import { QueryFailure } from '../../domain/records/QueryFailure.tsx';
import { StepsOfWork } from '../../domain/saving/StepsOfWork.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/**
 * Milliseconds without an answer after which somebody has to check the server. The start of a new version may take
 * minutes.
 */
const PATIENCE_MS = 10 * 60_000;
/** Seconds for which the result of a failed update is shown. */
const TOLD_S = 7 * 86_400;
const steps = ServerUpdateStep.options;

/**
 * Section about the version of this server: the available newer version, its release notes, and the return to the
 * previous version.
 */
export function OwnUpdate() {
  const query = useQuery(ownUpdateQuery);
  if (query.isError && !query.data) return <QueryFailure query={query} />;
  if (!query.data) return <Bone height="9rem" radius="var(--r-l)" />;
  return <OwnVersion state={query.data} />;
}

function OwnVersion({ state }: { state: ServerUpdate }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'install' | 'return'>();
  const { version, offer, how, back } = state;
  return (
    <div className="card pad">
      <Section title={t('ownUpdate.title')} lead={t('ownUpdate.runs', { version })}>
        <LastUpdate state={state} onReturn={() => setAsking('return')} />
        {offer && <Offer state={state} offer={offer} onInstall={() => setAsking('install')} />}
        {!offer && how === 'none' && state.why && <p className="note">{worded(state.why)}</p>}
        {!offer && how === 'none' && state.command && (
          <CopyField label={t('ownUpdate.type')} value={state.command} onCopy={copyText} />
        )}
        {!offer && how !== 'none' && <p className="note">{t('ownUpdate.newest')}</p>}
      </Section>
      {asking === 'install' && offer && (
        <ChangeVersion
          state={state}
          version={offer.version}
          what={{ install: offer.release_id }}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'return' && back && (
        <ChangeVersion
          state={state}
          version={back.version}
          what={{ backup: back.backup }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  );
}

type OfferProps = {
  state: ServerUpdate;
  offer: NonNullable<ServerUpdate['offer']>;
  onInstall: () => void;
};

/** Release notes of the available version, and how to install it. */
function Offer({ state: { how, why, work, last }, offer, onInstall }: OfferProps) {
  const { t } = useTranslation();
  const { version, notes, file, wanted, command } = offer;
  return (
    <div className="update-offer">
      <h3>{t('ownUpdate.offer', { version })}</h3>
      {notes !== null && (
        <section aria-label={t('ownUpdate.notes', { version })}>
          <p className="update-notes">{notes}</p>
        </section>
      )}
      {file === null && <p className="note">{t('ownUpdate.wanted', { file: wanted })}</p>}
      {why !== null && <p className="note">{worded(why)}</p>}
      {command !== null && <CopyField label={t('ownUpdate.type')} value={command} onCopy={copyText} />}
      {how === 'trial' && file !== null && (
        <div className="form-actions">
          <Button
            variant="primary"
            icon={RefreshCw}
            isDisabled={work !== null || last?.status === 'trying'}
            onPress={onInstall}
          >
            {t('ownUpdate.install', { version })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The result of the latest update, and a button for the return to the previous version while this is possible. */
function LastUpdate({ state: { last, back }, onReturn }: { state: ServerUpdate; onReturn: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  if (!last) return null;
  const facts = { version: last.version, from: last.from, by: last.by, at: format.dateTime(last.at) };
  if (last.status === 'trying')
    return (
      <Notice tone="info" title={t('ownUpdate.trying', facts)}>
        {t('ownUpdate.tryingHelp', facts)}
      </Notice>
    );
  if (last.status === 'failed' || last.status === 'returned') {
    if (now - last.at >= TOLD_S) return null;
    const sentences = [
      last.status === 'failed' && last.reason !== null && t('ownUpdate.failedWhy', { reason: worded(last.reason) }),
      t(`ownUpdate.${last.status}Help`, facts),
      last.restored === 1 && t('ownUpdate.restored', { backup: last.backup }),
    ];
    return (
      <Notice tone={last.status === 'failed' ? 'bad' : 'info'} title={t(`ownUpdate.${last.status}`, facts)}>
        {sentences.filter(Boolean).join(' ')}
      </Notice>
    );
  }
  if (!back) return null;
  return (
    <Notice
      tone="good"
      title={t('ownUpdate.done', facts)}
      actions={
        <Button size="small" icon={Undo2} onPress={onReturn}>
          {t('ownUpdate.return', { version: back.version })}
        </Button>
      }
    >
      {t('ownUpdate.doneHelp', { ...facts, until: format.date(back.until) })}
    </Notice>
  );
}

type ChangeVersionProps = {
  state: ServerUpdate;
  /** The version that will run after the change. */
  version: string;
  /**
   * `install`: the release to install. `backup`: the backup that is restored together with the previous version;
   * null if no restore is needed.
   */
  what: { readonly install: string } | { readonly backup: string | null };
  onClose: () => void;
};

/**
 * Dialog that explains a change of version, asks for the proof of identity if necessary, and waits for the result.
 */
function ChangeVersion({ state, version, what, onClose }: ChangeVersionProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const proving = useProof(state.proof);
  const [isRestarting, setRestarting] = useState(false);
  const isBack = 'backup' in what;
  const change = useMutation({
    mutationFn: async () => {
      if (isBack) await client.call(returnServerUpdate, { body: proving.body });
      else await client.call(installServerUpdate, { body: { release_id: what.install, ...proving.body } });
      setRestarting(true);
      return untilDecided();
    },
    onSuccess: (isDecided) => {
      // Reloads, so that the page comes from the running version.
      if (isDecided) return startOver('/settings/updates');
      toast({ tone: 'problem', text: t('ownUpdate.late') });
      onClose();
    },
    onError: (error) => {
      if (!proving.refused(error)) tell(error);
      void queries.invalidateQueries({ queryKey: ['server'] });
    },
  });
  if (change.isPending)
    return (
      <Dialog title={t('ownUpdate.changing', { version })} onClose={onClose}>
        <Way isBack={isBack} isRestarting={isRestarting} />
        <p>{t('ownUpdate.changingHelp')}</p>
      </Dialog>
    );
  return (
    <FormDialog
      title={t(isBack ? 'ownUpdate.returnAsk' : 'ownUpdate.installAsk', { version })}
      onClose={onClose}
      onSubmit={() => change.mutate()}
      submit={t(isBack ? 'ownUpdate.return' : 'ownUpdate.install', { version })}
      variant={isBack && what.backup !== null ? 'danger' : 'primary'}
      isDisabled={!proving.isPossible}
    >
      <p>{t(isBack ? 'ownUpdate.returnHelp' : 'ownUpdate.installHelp', { version, from: state.version })}</p>
      {isBack && what.backup !== null && <Notice tone="warn" title={t('ownUpdate.returnLoses')} />}
      {proving.fields}
    </FormDialog>
  );
}

/** Progress of the change, as reported while the old version runs. */
function Way({ isBack, isRestarting }: { isBack: boolean; isRestarting: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({ ...ownUpdateQuery, refetchInterval: LOOK_AT_UPDATE_MS, enabled: !isRestarting });
  const shown: readonly (typeof steps)[number][] = isBack ? ['backup', 'starting'] : steps;
  const work = isRestarting ? null : (data?.work ?? null);
  const step = isRestarting ? 'starting' : (work?.step ?? (isBack ? 'backup' : 'checking'));
  const total = work?.total_bytes ?? 0;
  return (
    <StepsOfWork steps={shown.map((each) => t(`ownUpdate.steps.${each}`))} reached={shown.indexOf(step)}>
      {work && total > 0 && (
        <>
          <Progress share={work.done_bytes / total} label={t(`ownUpdate.steps.${step}`)} />
          <p className="note" role="status">
            {t('ownUpdate.bytes', { done: format.bytes(work.done_bytes), total: format.bytes(total) })}
          </p>
        </>
      )}
    </StepsOfWork>
  );
}

/**
 * Waits for the end of an update. Resolves to true when the new version was accepted or the previous version runs
 * again; to false if the result is still unknown after `PATIENCE_MS`.
 */
const untilDecided = async (): Promise<boolean> => {
  const since = performance.now();
  while (performance.now() - since < PATIENCE_MS) {
    await new Promise((done) => setTimeout(done, LOOK_AT_UPDATE_MS));
    try {
      const { last, work } = await client.call(getServerUpdate);
      if (work === null && last?.status !== 'trying') return true;
    } catch (error) {
      // No server answers between two versions. After a restored database, the session may be unknown (401).
      if (error instanceof ApiError && error.status === 401) return true;
    }
  }
  return false;
};
