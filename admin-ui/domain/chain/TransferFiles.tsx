import type { UseQueryResult } from '@tanstack/react-query';
import { Download, FileInput } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { TRANSFER_ENDING } from '../../../shared/chain/transfer-file.ts';
import type { TransferState } from '../../../shared/contract/headquarters/transfer-files.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import type { TransferActions } from '../../api/chain/transferFiles.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { Bone, Notice, Progress, Section } from '../../components/frame/Page.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { Unanswered } from '../records/QueryFailure.tsx';
import './TransferFiles.css';

type TransferFilesProps = {
  query: UseQueryResult<TransferState>;
  actions: TransferActions;
  topics: readonly Topic[];
  lead: string;
  /** Label of the button that creates a transfer file, and the reason why there may be nothing to write. */
  write: string;
  cannot: string;
  mayChange: boolean;
};

/** Transfer between a store and headquarters by USB stick: create transfer files here, and import them. */
export function TransferFiles({ query, actions, topics, lead, write: label, cannot, mayChange }: TransferFilesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [share, setShare] = useState(0);
  const [wrong, setWrong] = useState<{ text: string; detail?: string | undefined }>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const failed = (error: Error) => {
    if (error.name !== 'AbortError') setWrong(describeProblem(error, t));
    return true;
  };
  const write = useEdit({
    topics,
    run: () => {
      setWrong(undefined);
      return actions.write();
    },
    said: ({ number }) => t('sticks.written', { number }),
    failed,
  });
  const take = useEdit({
    topics,
    run: (file: File) => {
      setWrong(undefined);
      setShare(0);
      abort.current = new AbortController();
      return actions.take(file, setShare, abort.current.signal);
    },
    done: ({ trouble }) => {
      if (trouble !== null) setWrong({ text: t('sticks.partly'), detail: worded(trouble) });
    },
    said: ({ number }) => t('sticks.takenIn', { number }),
    failed,
  });
  const state = query.data;
  const out = state?.under_way?.what === 'out' ? state.under_way : undefined;
  const lastOf = (number: number) => (number === 0 ? t('sticks.none') : t('sticks.number', { number }));
  return (
    <Section title={t('sticks.title')} lead={lead}>
      <Unanswered query={query} bones={<Bone height="6rem" radius="var(--r-l)" />} />
      {state && (
        <div className="card pad sticks">
          {wrong && (
            <Notice tone="bad" title={wrong.text}>
              {wrong.detail}
            </Notice>
          )}
          <Facts
            facts={[
              [t('sticks.lastWritten'), lastOf(state.written)],
              [t('sticks.lastTaken'), lastOf(state.taken)],
            ]}
          />
          {out && (
            <div className="sticks-way" role="status">
              {out.total !== null && <Progress share={out.bytes / out.total} label={t('sticks.writing')} />}
              <p>
                {out.total === null
                  ? t('sticks.writingSome', { bytes: format.bytes(out.bytes) })
                  : t('sticks.writingOf', { bytes: format.bytes(out.bytes), total: format.bytes(out.total) })}
              </p>
            </div>
          )}
          {take.isPending && (
            <div className="sticks-way" role="status">
              <Progress share={share} label={t('sticks.taking')} />
              <p>{share < 1 ? t('sticks.takingOf', { share: format.percent(share) }) : t('sticks.checking')}</p>
            </div>
          )}
          {!state.can && <p className="note">{cannot}</p>}
          {mayChange && (
            <div className="form-actions">
              <FileTrigger
                acceptedFileTypes={[TRANSFER_ENDING]}
                onSelect={(files) => files?.[0] && take.mutate(files[0])}
              >
                <Button icon={FileInput} isPending={take.isPending}>
                  {t('sticks.take')}
                </Button>
              </FileTrigger>
              <Button
                icon={Download}
                isDisabled={!state.can}
                isPending={write.isPending || out !== undefined}
                onPress={() => write.mutate()}
              >
                {label}
              </Button>
            </div>
          )}
        </div>
      )}
    </Section>
  );
}
