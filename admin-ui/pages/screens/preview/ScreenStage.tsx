import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device, DeviceDetail } from '../../../../shared/contract/screens/devices.ts';
import { requestScreenshot } from '../../../api/screens.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { toast } from '../../../components/controls/toasts.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { ItemThumb } from '../../../domain/preview/ContentThumb.tsx';
import { ScreenFrame } from '../../../domain/screens/ScreenFrame.tsx';
import { useFormat } from '../../../i18n/useFormat.ts';
import { PanelOff } from '../PanelOff.tsx';
import { aspectOf, isDrawable } from '../screens.utils.ts';
import { DrawnScreen } from './DrawnScreen.tsx';
import { useNowPlaying } from './useNowPlaying.ts';
import { useScreenPicture } from './useScreenPicture.ts';

const EVERY_SECONDS = 15;

/** The present picture of the screen, and the reason for it. */
export function ScreenStage({ screen, detail }: { screen: Device; detail: DeviceDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const online = screen.status === 'online';
  const canShoot = screen.capabilities.includes('screenshot');
  const src = useScreenPicture(
    { id: screen.id, online: online && screen.screen_on !== false, canShoot, takenAt: screen.screenshot_at },
    EVERY_SECONDS,
  );
  const isDrawn = isDrawable(screen);
  const playing = useNowPlaying(screen.showing);
  const [asking, setAsking] = useState(false);
  const refresh = async () => {
    setAsking(true);
    const came = await requestScreenshot(screen.id).catch(() => false);
    setAsking(false);
    if (!came) toast({ tone: 'problem', text: t('screen.refreshFailed') });
  };
  const label = online ? t('screen.now') : t('screen.before');
  const shown = new Set(screen.showing.map((zone) => zone.item_id));
  const status = () => {
    if (!online)
      return screen.last_heartbeat
        ? t('screens.lastSeen', { ago: format.ago(screen.last_heartbeat, now) })
        : t('screens.neverSeen');
    if (screen.screen_on === false) return <PanelOff screen={screen} />;
    if (playing !== null) return playing;
    if (screen.program?.state === 'waiting') return t('screens.fetching');
    return screen.showing.length === 0 ? t('screens.showingNothing') : '\u00a0';
  };
  return (
    <section className="stage-card" aria-label={label}>
      <ScreenFrame
        aspect={aspectOf(screen)}
        turned={Number(screen.orientation)}
        src={src}
        alt={label}
        dim={!online}
        blank={online ? t('screens.noPicture') : null}
        {...(isDrawn && {
          drawn: <DrawnScreen screen={screen} label={label} blank={t('screens.noPicture')} />,
          over: t('screens.drawn'),
        })}
      />
      <div className="stage-foot">
        <p>
          {status()}
          <small>
            {isDrawn
              ? t('screen.drawn')
              : src && screen.screenshot_at
                ? t('screens.lastPicture', { ago: format.ago(screen.screenshot_at, now) })
                : online && t('screen.now')}
          </small>
        </p>
        {online && canShoot && (
          <Button icon={RefreshCw} size="small" isPending={asking} onPress={() => void refresh()}>
            {t('screen.refresh')}
          </Button>
        )}
      </div>
      {detail.assignments.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ul className="strip" tabIndex={0} aria-label={t('screen.plays')}>
          {detail.assignments.map((item) => (
            <li key={item.id} {...(shown.has(item.id) && { 'aria-current': 'true' as const })}>
              <ItemThumb item={item} small cover />
              <p className="truncate">{item.filename ?? item.widget_name}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
