import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { Spinner } from '../../components/Spinner.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { fileUrl, thumbnailOf } from '../../data/content.ts';
import { useImage } from '../../data/useImage.ts';

/** Held in memory as a whole, since a <video> cannot send the session with its requests. */
const MAX_BYTES = 150_000_000;

export function ContentPreview({ content }: { content: Content }) {
  const { t } = useTranslation();
  const playable = content.file_size > 0 && (content.kind === 'image' || content.kind === 'video' || content.kind === 'audio');
  const small = content.file_size <= MAX_BYTES;
  const file = useImage(playable && small ? `${fileUrl(content.id)}#${content.sha256}` : null);
  const thumbnail = useImage(thumbnailOf(content));
  const poster = thumbnail.status === 'ready' ? thumbnail.src : undefined;
  const label = t('content.preview', { name: content.filename });
  const src = file.status === 'ready' ? file.src : undefined;
  if (src && content.kind === 'image') {
    return (
      <div className="preview-stage">
        <img src={src} alt={label} />
      </div>
    );
  }
  if (src && (content.kind === 'video' || content.kind === 'audio')) {
    return (
      <div className="preview-stage">
        {/* biome-ignore lint/a11y/useMediaCaption: what customers upload has no captions */}
        <video src={src} poster={poster} controls aria-label={label} />
      </div>
    );
  }
  return (
    <div className="preview-stage">
      {poster ? <img src={poster} alt={label} /> : !playable && <Thumb kind={content.kind} src={null} />}
      {playable && small && file.status === 'loading' && (
        <div className="preview-note" role="status">
          <Spinner />
          {t('content.loadingPreview')}
        </div>
      )}
      {playable && small && file.status === 'failed' && <p className="preview-note">{t('content.previewFailed')}</p>}
      {playable && !small && <p className="preview-note">{t('content.previewTooLarge')}</p>}
    </div>
  );
}
