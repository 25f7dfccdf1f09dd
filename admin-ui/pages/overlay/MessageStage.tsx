import { useTranslation } from 'react-i18next';
import { type Message, messageFrame, previewMessage } from '../../../shared/contract/screens/messages.ts';
import { overlayArea } from '../../../shared/protocol/overlay-area.ts';
import { thumbnailUrl } from '../../api/files/content.ts';
import { useImage } from '../../api/files/useImage.ts';
import { usePreview } from '../../domain/preview/LivePreview.tsx';
import { PreviewPages } from '../../domain/preview/PreviewFrame.tsx';
import { Scaled } from '../../domain/preview/Scaled.tsx';
import { drawnOf, hasContent, type MessageDraft, placeOf } from './message.utils.ts';
import { ScreenPicture } from './OverlayStage.tsx';
import { uprightSize } from './overlay.utils.ts';
import { useSeenOn } from './useSeenOn.ts';
import './overlay.css';

/** Corner radius of the message in pixels for a screen of 1080 lines, the same as in the player. */
const ROUND = 24;

/** Preview of the message over the present picture of one of the target screens. */
export function MessageStage({ draft, recent }: { draft: MessageDraft; recent: readonly Message[] }) {
  const { t } = useTranslation();
  const screen = useSeenOn(draft.targets);
  const size = uprightSize(screen);
  const area = placeOf(draft);
  const { x, y, width, height } = overlayArea(area, size);
  const isCard = area === 'center' || area.includes('-');
  return (
    <section className="live-preview message-stage" aria-label={t('common.preview')}>
      <Scaled size={size}>
        {(style) => (
          <div className="scaled-inner" style={style}>
            {screen && <ScreenPicture key={screen.id} screen={screen} />}
            {hasContent(draft) && (
              <div className="message-box" style={{ left: x, top: y, width, height, borderRadius: isCard ? ROUND : 0 }}>
                {draft.picture ? (
                  <Picture id={draft.picture.id} />
                ) : (
                  <Drawn drawn={drawnOf(draft, recent)} size={{ width, height }} />
                )}
              </div>
            )}
          </div>
        )}
      </Scaled>
      <p className="preview-note">{screen ? t('message.seenOn', { name: screen.name }) : t('message.seenOnNone')}</p>
    </section>
  );
}

function Drawn({ drawn, size }: { drawn: ReturnType<typeof drawnOf>; size: { width: number; height: number } }) {
  const { t } = useTranslation();
  const { html } = usePreview(previewMessage, drawn);
  return <PreviewPages title={t('common.preview')} frame={messageFrame} html={html} style={size} />;
}

function Picture({ id }: { id: string }) {
  const image = useImage(thumbnailUrl(id, true));
  return image.status === 'ready' ? <img src={image.src} alt="" /> : null;
}
