import { Link } from '@tanstack/react-router';
import { lazy, memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { stateOf } from '../../../../shared/contract/screens/device-state.ts';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { SelectBox } from '../../../components/choices/SelectBox.tsx';
import { Badge } from '../../../components/frame/Page.tsx';
import { ScreenFrame } from '../../../domain/screens/ScreenFrame.tsx';
import '../../../components/lists/Tile.css';
import { useLiveDevice } from '../../../api/live/useLive.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { withTexts } from '../../../i18n/i18n.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { useNowPlaying } from '../preview/useNowPlaying.ts';
import { useScreenPicture } from '../preview/useScreenPicture.ts';
import { useWhyPlaying } from '../preview/useWhyPlaying.ts';
import { aspectOf, isDrawable, toneOf, withLive } from '../screens.utils.ts';

// Loaded on demand: most panels are on, and computing why a panel is off needs the program engine.
const PanelOff = lazy(() => withTexts(() => import('../PanelOff.tsx')).then((m) => ({ default: m.PanelOff })));

// Loaded on demand: most screens can take screenshots and need no drawing.
const DrawnScreen = lazy(() => import('../preview/DrawnScreen.tsx').then((m) => ({ default: m.DrawnScreen })));

const EVERY_SECONDS = 60;

type ScreenCardProps = {
  screen: Device;
  index: number;
  canWrite: boolean;
  isSelected: boolean;
  /** Whether any screen is selected. All checkboxes are visible then. */
  selecting: boolean;
  onToggle: (index: number, how: { range: boolean }) => void;
};

export const ScreenCard = memo(function ScreenCard({
  screen: fetched,
  index,
  canWrite,
  isSelected,
  selecting,
  onToggle,
}: ScreenCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const live = useLiveDevice(fetched.id, (device) => device);
  const screen = withLive(fetched, live);
  const state = stateOf(screen);
  const online = screen.status === 'online';
  const src = useScreenPicture(
    {
      id: screen.id,
      online: online && screen.screen_on !== false,
      canShoot: screen.capabilities.includes('screenshot'),
      takenAt: screen.screenshot_at,
    },
    EVERY_SECONDS,
  );
  const playing = useNowPlaying(screen.showing);

  const line = () => {
    if (!online)
      return screen.last_heartbeat
        ? t('screens.lastSeen', { ago: format.ago(screen.last_heartbeat, now) })
        : t('screens.neverSeen');
    if (state === 'attention') return t('screens.failedShort');
    if (state === 'off')
      return (
        <Suspense fallback={t('screens.state.off')}>
          <PanelOff screen={screen} />
        </Suspense>
      );
    if (playing) return t('screens.showing', { name: playing });
    if (screen.program?.state === 'waiting') return t('screens.fetching');
    // A space keeps the line while the name of the item is being loaded.
    return state === 'idle' ? t('screens.showingNothing') : '\u00a0';
  };
  return (
    <article className={['selectable', selecting && 'selecting', isSelected && 'selected'].filter(Boolean).join(' ')}>
      {canWrite && (
        <SelectBox
          label={t('selection.choose', { name: screen.name })}
          isSelected={isSelected}
          onToggle={(how) => onToggle(index, how)}
        />
      )}
      <Link to="/screens/$screenId" params={{ screenId: screen.id }} className="tile screen-card">
        <ScreenFrame
          aspect={aspectOf(screen)}
          turned={Number(screen.orientation)}
          src={src}
          alt=""
          dim={!online}
          blank={online ? (state === 'idle' ? t('screens.nothingYet') : t('screens.noPicture')) : null}
          over={src && screen.screenshot_at ? format.ago(screen.screenshot_at, now) : undefined}
          {...(isDrawable(screen) && {
            drawn: (
              <Suspense fallback={null}>
                <DrawnScreen screen={screen} label="" blank={t('screens.noPicture')} />
              </Suspense>
            ),
            over: t('screens.drawn'),
          })}
        />
        <div className="tile-text">
          <div className="screen-card-head">
            <h3 className="truncate">{screen.name}</h3>
            {isSelected && <span className="visually-hidden">{t('screens.column.choose')}</span>}
            <Badge tone={toneOf[state]} dot>
              {t(`screens.state.${state}`)}
            </Badge>
          </div>
          <p className="truncate">{line()}</p>
          {online && state !== 'off' ? <Why screen={screen} /> : <p>{'\u00a0'}</p>}
        </div>
      </Link>
    </article>
  );
});

/** Says why the screen plays the present playlist. An empty line while loading keeps other elements in place. */
function Why({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const why = useWhyPlaying(screen.id);
  return <p className="truncate">{why ? t(`screens.why.${why.source}`, { playlist: why.playlist }) : '\u00a0'}</p>;
}
