import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { previewFrame } from '../../../shared/contract/content/widgets.ts';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import type { ChosenTarget } from '../../api/editing/composer.ts';
import { useSteadyImage } from '../../api/files/useSteadyImage.ts';
import { useLiveDevice } from '../../api/live/useLive.ts';
import { requestScreenshot, screenPictureUrl } from '../../api/screens.ts';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { PreviewPane } from '../../domain/preview/PreviewFrame.tsx';
import { Scaled } from '../../domain/preview/Scaled.tsx';
import { type Composed, hasAddress, imagePage, isColor, placeOn, uprightSize } from './overlay.utils.ts';
import { useSeenOn } from './useSeenOn.ts';

const TYPING_MS = 500;
/** Letter size of an overlay title as a share of the screen's smaller side (player/screen/style.css). */
const TITLE_SHARE = 0.022;

/** Preview of the overlay over the present picture of one of the target screens. */
export function OverlayStage({ overlay, targets }: { overlay: Composed; targets: readonly ChosenTarget[] }) {
  const { t } = useTranslation();
  const screen = useSeenOn(targets);
  const size = uprightSize(screen);
  return (
    <section className="live-preview" aria-label={t('common.preview')}>
      <Scaled size={size}>
        {(style) => (
          <div className="scaled-inner" style={style}>
            {screen && <ScreenPicture key={screen.id} screen={screen} />}
            <OverlayBox
              overlay={overlay}
              place={placeOn(size, overlay)}
              letters={Math.max(16, Math.min(size.width, size.height) * TITLE_SHARE)}
            />
          </div>
        )}
      </Scaled>
      <p className="preview-note">{t('overlay.previewNote', size)}</p>
    </section>
  );
}

/** The present picture of a screen, rotated upright, drawn at the size of the screen. */
export function ScreenPicture({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const takenAt = useLiveDevice(screen.id, (device) => device.screenshot_at) ?? screen.screenshot_at;
  const canShoot = screen.status === 'online' && screen.capabilities.includes('screenshot');
  useEffect(() => {
    if (!canShoot) return;
    const abort = new AbortController();
    // If the request fails, the old picture stays.
    requestScreenshot(screen.id, abort.signal).catch(() => undefined);
    return () => abort.abort();
  }, [screen.id, canShoot]);
  const src = useSteadyImage(screenPictureUrl(screen.id, takenAt));
  const { width, height } = uprightSize(screen);
  const turned = Number(screen.orientation);
  const quarter = turned % 180 !== 0;
  if (!src) return null;
  return (
    <img
      className="overlay-picture"
      src={src}
      alt={screen.status === 'online' ? t('screen.now') : t('screen.before')}
      style={{
        width: quarter ? height : width,
        height: quarter ? width : height,
        transform: `translate(-50%, -50%) rotate(${-turned}deg)`,
      }}
    />
  );
}

type BoxProps = { overlay: Composed; place: ReturnType<typeof placeOn>; letters: number };

function OverlayBox({ overlay, place, letters }: BoxProps) {
  const { t } = useTranslation();
  const uri = useDebounced(overlay.uri, TYPING_MS);
  const html = imagePage(uri);
  const shows = hasAddress(uri);
  return (
    <div
      className="overlay-box"
      style={{
        ...place,
        opacity: overlay.opacity,
        borderRadius: overlay.border_radius,
        ...(isColor(overlay.background_color) && { backgroundColor: overlay.background_color }),
      }}
    >
      {overlay.title.trim() && (
        <header style={{ fontSize: letters, ...(isColor(overlay.title_color) && { color: overlay.title_color }) }}>
          <span>{overlay.title}</span>
        </header>
      )}
      <div className="overlay-body">
        {!shows && <p style={{ fontSize: letters }}>{t('overlay.nothingYet')}</p>}
        {shows && overlay.type === 'image' && (
          <PreviewPane
            key={html}
            title={t('overlay.types.image')}
            frame={previewFrame}
            html={html}
            style={{}}
            isTop
            onDrawn={() => undefined}
          />
        )}
        {shows && overlay.type === 'web' && (
          <iframe
            title={t('overlay.types.web')}
            src={uri}
            sandbox="allow-scripts allow-forms"
            referrerPolicy="no-referrer"
          />
        )}
      </div>
    </div>
  );
}
