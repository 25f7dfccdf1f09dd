import { useQueries } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, RotateCw, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Upload, uploadSummary } from '../../api/files/uploads.ts';
import { uploads, useUploads } from '../../api/files/useUploads.ts';
import { playbackQuery } from '../../api/playback.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { Progress } from '../../components/frame/Page.tsx';
import { useReserve } from '../../components/hooks/useReserve.ts';
import { PlaybackProblems } from '../../domain/content/PlaybackProblems.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import './UploadTray.css';

/** Milliseconds until the tray closes after successful uploads, so that people can read the result. */
const GONE_AFTER_MS = 4000;

/** Statuses for which a retry is useless: the file is empty, too large, or of an unknown kind. */
const FINAL = new Set([-1, 413, 415]);

/** Maximum number of drawn rows. A folder may contain thousands of files. */
const MOST_ROWS = 50;
const RANK = { failed: 0, sending: 1, checking: 1, waiting: 2, done: 3, cancelled: 3 } as const;
/** Sorts uploads: failed files first, then uploads in progress. */
const rowsOf = (all: readonly Upload[]): readonly Upload[] =>
  all.length > MOST_ROWS
    ? all.toSorted((a, b) => RANK[a.state] - RANK[b.state]).slice(0, MOST_ROWS)
    : all.toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));

/** List of uploads in the corner of every page. */
export function UploadTray() {
  const { t } = useTranslation();
  const all = useUploads();
  const [open, setOpen] = useState(true);
  const tray = useRef<HTMLElement>(null);
  useReserve('tray', tray, all.length > 0);
  const { running, done, failed, share } = uploadSummary(all);
  const playback = usePlayback(all);
  const allWell = all.length > 0 && running === 0 && failed === 0 && playback === 'fine';
  useEffect(() => {
    if (!allWell) return;
    const timer = setTimeout(() => uploads.clear(), GONE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [allWell]);
  if (all.length === 0) return null;
  const title =
    running > 0
      ? t('uploads.title', { count: running })
      : failed > 0
        ? t('uploads.failedTitle', { count: failed })
        : t('uploads.doneTitle', { count: done });
  return (
    <section ref={tray} className="upload-tray" aria-label={t('uploads.total')}>
      <div className="upload-tray-head">
        <h2 className="truncate" role="status">
          {title}
        </h2>
        <IconButton
          icon={open ? ChevronDown : ChevronUp}
          label={open ? t('uploads.collapse') : t('uploads.expand')}
          size="small"
          onPress={() => setOpen(!open)}
        />
        {running === 0 && (
          <IconButton icon={X} label={t('common.close')} size="small" onPress={() => uploads.clear()} />
        )}
      </div>
      {running > 0 && <Progress share={share} label={t('uploads.total')} />}
      {open && (
        <ul className="upload-list">
          {rowsOf(all).map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {all.length > MOST_ROWS && (
            <li className="upload-row note">{t('uploads.more', { count: all.length - MOST_ROWS })}</li>
          )}
        </ul>
      )}
    </section>
  );
}

/** Returns whether screens can play the uploaded files. `asking`: the server has not answered yet. */
const usePlayback = (all: readonly Upload[]): 'asking' | 'fine' | 'problems' => {
  const ids = rowsOf(all).flatMap(({ playableId }) => playableId ?? []);
  const answers = useQueries({ queries: ids.map((content_id) => playbackQuery({ content_id })) });
  if (answers.some(({ data }) => data !== undefined && data.problems.length > 0)) return 'problems';
  return answers.some(({ isPending }) => isPending) ? 'asking' : 'fine';
};

function UploadRow({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const { id, name, state } = upload;
  const canCancel = state === 'waiting' || state === 'sending' || state === 'checking';
  const canRetry = (state === 'failed' && !FINAL.has(upload.status ?? 0)) || state === 'cancelled';
  return (
    <li className="upload-row">
      <span className="upload-name truncate" title={name}>
        {name}
      </span>
      <UploadStateText upload={upload} />
      {(state === 'sending' || state === 'checking') && (
        <Progress share={upload.size === 0 ? 1 : upload.sent / upload.size} label={t('uploads.progress', { name })} />
      )}
      <span className="upload-action">
        {canCancel && (
          <IconButton icon={X} size="small" label={t('uploads.cancel', { name })} onPress={() => uploads.cancel(id)} />
        )}
        {canRetry && (
          <IconButton
            icon={RotateCw}
            size="small"
            label={t('uploads.retry', { name })}
            onPress={() => uploads.retry(id)}
          />
        )}
      </span>
      {upload.playableId && (
        <div className="upload-playback">
          <PlaybackProblems question={{ content_id: upload.playableId }} />
        </div>
      )}
    </li>
  );
}

function UploadStateText({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (upload.state === 'failed') {
    const known: Record<number, string> = {
      [-1]: t('uploads.empty'),
      0: t('uploads.brokenOff'),
      413: t('problem.tooLarge'),
      507: t('problem.diskFull'),
    };
    return (
      <span className="upload-state bad">{known[upload.status ?? 0] ?? upload.problem ?? t('problem.server')}</span>
    );
  }
  if (upload.state === 'sending') {
    return (
      <span className="upload-state">
        {format.percent(upload.sent / upload.size)} · {format.bytes(upload.size)}
      </span>
    );
  }
  const words = {
    waiting: t('uploads.waiting'),
    checking: t('uploads.checking'),
    done: t('common.done'),
    cancelled: t('uploads.cancelled'),
  };
  return <span className={upload.state === 'done' ? 'upload-state good' : 'upload-state'}>{words[upload.state]}</span>;
}
