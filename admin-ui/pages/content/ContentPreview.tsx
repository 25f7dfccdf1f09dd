import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Globe } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { contentLinkQuery, fileUrl, thumbnailOf } from '../../api/files/content.ts';
import { useImage } from '../../api/files/useImage.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Spinner } from '../../components/controls/Spinner.tsx';
import { Thumb } from '../../domain/preview/Thumb.tsx';
import { worded } from '../../i18n/sentences.ts';

/** Large preview of a content: the whole picture, a clip with controls, a document with pages, or a web page. */
export function ContentPreview({ content }: { content: Content }) {
  const { kind } = content;
  if (kind === 'web' || kind === 'embed') return <LivePage content={content} />;
  if (content.file_size === 0) return <Still content={content} />;
  if (kind === 'image') return <Picture content={content} />;
  if (kind === 'pdf') return <Document content={content} />;
  return <Clip content={content} />;
}

const Stage = ({ children }: { children: ReactNode }) => <div className="preview-stage">{children}</div>;

function Still({ content, note }: { content: Content; note?: string }) {
  const { t } = useTranslation();
  const thumbnail = useImage(thumbnailOf(content));
  const missing = content.remote_url
    ? content.fetch_error
      ? t('content.notFetchedYet', { reason: worded(content.fetch_error) })
      : t('content.fetching')
    : undefined;
  return (
    <Stage>
      {thumbnail.status === 'ready' ? (
        <img src={thumbnail.src} alt={t('common.previewOf', { name: content.filename })} />
      ) : (
        <Thumb kind={content.kind} src={null} />
      )}
      {(note ?? missing) && <p className="preview-note">{note ?? missing}</p>}
    </Stage>
  );
}

function Waiting({ content }: { content: Content }) {
  const { t } = useTranslation();
  const thumbnail = useImage(thumbnailOf(content));
  return (
    <Stage>
      {thumbnail.status === 'ready' && <img src={thumbnail.src} alt="" />}
      <div className="preview-note" role="status">
        <Spinner />
        {t('content.loadingPreview')}
      </div>
    </Stage>
  );
}

function Picture({ content }: { content: Content }) {
  const { t } = useTranslation();
  const file = useImage(`${fileUrl(content.id)}#${content.sha256}`);
  if (file.status === 'loading') return <Waiting content={content} />;
  if (file.status !== 'ready') return <Still content={content} note={t('content.previewFailed')} />;
  return (
    <Stage>
      <img src={file.src} alt={t('common.previewOf', { name: content.filename })} />
    </Stage>
  );
}

function Clip({ content }: { content: Content }) {
  const { t } = useTranslation();
  const link = useQuery({ ...contentLinkQuery(content.id, content.sha256), refetchOnWindowFocus: false });
  const thumbnail = useImage(thumbnailOf(content));
  const [failed, setFailed] = useState(false);
  if (link.isError || failed) return <Still content={content} note={t('content.previewFailed')} />;
  if (!link.data) return <Waiting content={content} />;
  const label = t('common.previewOf', { name: content.filename });
  return (
    <Stage>
      {content.kind === 'audio' ? (
        <>
          <Thumb kind="audio" src={null} />
          {/* biome-ignore lint/a11y/useMediaCaption: what customers upload has no captions */}
          <audio src={link.data.url} controls aria-label={label} onError={() => setFailed(true)} />
        </>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: as above
        <video
          src={link.data.url}
          poster={thumbnail.status === 'ready' ? thumbnail.src : undefined}
          controls
          preload="metadata"
          aria-label={label}
          onError={() => setFailed(true)}
        />
      )}
    </Stage>
  );
}

function Document({ content }: { content: Content }) {
  const { t } = useTranslation();
  const link = useQuery({
    ...contentLinkQuery(content.id, content.sha256),
    enabled: navigator.pdfViewerEnabled,
    refetchOnWindowFocus: false,
  });
  if (!navigator.pdfViewerEnabled) return <Still content={content} note={t('content.pdfDownload')} />;
  if (link.isError) return <Still content={content} note={t('content.previewFailed')} />;
  if (!link.data) return <Waiting content={content} />;
  return (
    <Stage>
      <iframe src={link.data.url} title={t('common.previewOf', { name: content.filename })} />
    </Stage>
  );
}

/**
 * Preview of a web page on another server. It is fetched only on request, so that nothing leaves the store's network
 * automatically.
 */
function LivePage({ content }: { content: Content }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const url = content.remote_url ?? '';
  const host = hostOf(url);
  if (!shown) {
    return (
      <Stage>
        <div className="preview-live">
          <Globe aria-hidden />
          <p>{t('content.livePage', { host })}</p>
          <Button onPress={() => setShown(true)}>{t('content.livePageShow')}</Button>
        </div>
      </Stage>
    );
  }
  // A page of the same origin must not access the admin window, so it gets no own origin. The player of a video site
  // needs its own origin.
  const foreign = host !== location.host;
  return (
    <Stage>
      <iframe
        src={url}
        title={t('common.previewOf', { name: content.filename })}
        sandbox={foreign ? 'allow-scripts allow-same-origin allow-forms' : 'allow-scripts'}
        allow="autoplay; encrypted-media; fullscreen"
        referrerPolicy="strict-origin-when-cross-origin"
      />
      <a className="preview-open" href={url} target="_blank" rel="noreferrer">
        <ExternalLink aria-hidden />
        {t('content.livePageOpen')}
      </a>
    </Stage>
  );
}

const hostOf = (url: string): string => {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
};
