import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { KeyRound, Megaphone, Search, WifiOff } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { composer, useComposer } from '../../api/editing/composer.ts';
import { uploading } from '../../api/files/uploading.ts';
import { useConnection } from '../../api/live/useLive.ts';
import { useLiveConnection } from '../../api/live/useLiveConnection.ts';
import { canShow, meQuery } from '../../api/session/me.ts';
import { session } from '../../api/session/session.ts';
import { openedStore } from '../../api/session/storeWindow.ts';
import { Wordmark } from '../../components/frame/Brand.tsx';
import { PageHelp } from '../../components/frame/Page.tsx';
import { withTexts } from '../../i18n/i18n.ts';
import { paletteKey, typedAhead, usePalette } from '../find/usePalette.ts';
import { BottomBar } from './navigation/BottomBar.tsx';
import { AlertsNews, PlaceLink } from './navigation/PlaceLink.tsx';
import { UserMenu } from './navigation/UserMenu.tsx';
import { groupsFor } from './pages.ts';
import { RouteFailure, RoutePending } from './RouteStates.tsx';
import { useFilesHeld } from './useFilesHeld.ts';
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx';
import './Shell.css';

const MustChangePassword = lazy(() =>
  withTexts(() => import('../MustChangePassword.tsx')).then((m) => ({ default: m.MustChangePassword })),
);
const CommandPalette = lazy(() =>
  withTexts(() => import('../find/CommandPalette.tsx')).then((m) => ({ default: m.CommandPalette })),
);
const SignInAgain = lazy(() =>
  withTexts(() => import('../SignInAgain.tsx')).then(
    (m) => ({ default: m.SignInAgain }),
    () => {
      // The server was updated meanwhile, so the page has to be loaded again in the new version.
      session.giveUp();
      return { default: (_: { me: Me }) => <></> };
    },
  ),
);
const MessageDialog = lazy(() =>
  withTexts(() => import('../../pages/overlay/MessageDialog.tsx')).then((m) => ({ default: m.MessageDialog })),
);
const RightsBanner = lazy(() =>
  withTexts(() => import('./RightsBanner.tsx')).then((m) => ({ default: m.RightsBanner })),
);
const StoreBanner = lazy(() => withTexts(() => import('./StoreBanner.tsx')).then((m) => ({ default: m.StoreBanner })));
const UploadTray = lazy(() => withTexts(() => import('./UploadTray.tsx')).then((m) => ({ default: m.UploadTray })));
const DropVeil = lazy(() => withTexts(() => import('./DropVeil.tsx')).then((m) => ({ default: m.DropVeil })));
const NoWorkspace = lazy(() => withTexts(() => import('../NoWorkspace.tsx')).then((m) => ({ default: m.NoWorkspace })));

/** The frame around every page of a signed-in user. */
export function Shell() {
  const token = useSyncExternalStore(session.subscribe, session.token);
  const lapsed = useSyncExternalStore(session.subscribe, session.lapsed);
  const me = useQuery(meQuery);
  const workspace = me.data?.must_change_password === 0 ? me.data.current_workspace_id : null;
  useLiveConnection(token, workspace);

  if (me.isError && !me.data) return <RouteFailure error={me.error} reset={() => void me.refetch()} />;
  if (!me.data) return <RoutePending />;
  return (
    <>
      {workspace !== null ? (
        <Frame me={me.data} />
      ) : (
        <Suspense fallback={<RoutePending />}>
          {me.data.must_change_password === 1 ? <MustChangePassword /> : <NoWorkspace />}
        </Suspense>
      )}
      {lapsed && (
        <Suspense>
          <SignInAgain me={me.data} />
        </Suspense>
      )}
    </>
  );
}

function Frame({ me }: { me: Me }) {
  const { t } = useTranslation();
  const palette = usePalette();
  const isUploading = useSyncExternalStore(uploading.subscribe, uploading.begun);
  const composing = useComposer();
  const filesHeld = useFilesHeld();
  return (
    <div className="shell">
      <button type="button" className="skip-link" onClick={skipToPane}>
        {t('app.skipToContent')}
      </button>
      <aside className="rail">
        <div className="rail-head">
          <Link to="/screens" aria-label={`Vitrine, ${t('app.toScreens')}`}>
            <Wordmark />
          </Link>
          <WorkspaceSwitcher me={me} />
        </div>
        <Button className="rail-find" onPress={palette.open}>
          <Search aria-hidden />
          <span>{t('nav.find')}</span>
          <kbd aria-hidden>{paletteKey}</kbd>
        </Button>
        {canShow(me) && (
          <Button className="rail-message" onPress={() => composer.open()}>
            <Megaphone aria-hidden />
            <span>{t('nav.messageNow')}</span>
          </Button>
        )}
        <nav className="rail-nav" aria-label={t('nav.label')}>
          {groupsFor(me).map((group) => (
            <div key={group.places[0].path}>
              {group.title && <p className="rail-group">{t(group.title)}</p>}
              <ul>
                {group.places.map((place) => (
                  <li key={place.path}>
                    <PlaceLink {...place} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        {openedStore === undefined && <UserMenu me={me} />}
      </aside>
      <div className="shell-pane">
        {openedStore !== undefined && (
          <Suspense>
            <StoreBanner store={openedStore} />
          </Suspense>
        )}
        <ConnectionBanner />
        <AlertsNews />
        {(me.rights.duty === 'upload' || me.rights.group_ids !== null) && (
          <Suspense>
            <RightsBanner me={me} />
          </Suspense>
        )}
        {me.password_organization && (
          <div className="connection-lost" role="status">
            <KeyRound size={16} aria-hidden />
            {t('app.passwordSetBy', { organization: me.password_organization.name })}
          </div>
        )}
        <main id="pane" className="shell-scroll" tabIndex={-1}>
          <PageHelp value={<LearnMore />}>
            <Outlet />
          </PageHelp>
        </main>
      </div>
      <BottomBar me={me} onFind={palette.open} />
      {palette.isOpen && (
        <Suspense>
          <CommandPalette me={me} typedAhead={typedAhead} onClose={palette.close} />
        </Suspense>
      )}
      {composing && (
        <Suspense>
          <MessageDialog targets={composing} onClose={composer.close} />
        </Suspense>
      )}
      {filesHeld && me.can_write && (
        <Suspense>
          <DropVeil early={filesHeld.early} />
        </Suspense>
      )}
      {isUploading && (
        <Suspense>
          <UploadTray />
        </Suspense>
      )}
      <FocusPageOnNavigation />
    </div>
  );
}

/** Link to the handbook topic about the page. */
function LearnMore() {
  const { t } = useTranslation();
  const topic = useMatches({ select: (matches) => matches.at(-1)?.staticData.help });
  return (
    topic && (
      <Link to="/settings/help" search={{ topic }} className="learn-more">
        {t('nav.learnMore')}
      </Link>
    )
  );
}

/** A button and not a link, since the router uses the part of the address after the #. */
const skipToPane = () => document.getElementById('pane')?.focus();

/** Milliseconds. A connection that returns within this time causes no message. */
const TELL_AFTER_MS = 3000;

function ConnectionBanner() {
  const { t } = useTranslation();
  const connection = useConnection();
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (connection !== 'lost') {
      setTold(false);
      return;
    }
    const timer = setTimeout(() => setTold(true), TELL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  return (
    <div role="status">
      {told && (
        <div className="connection-lost">
          <WifiOff size={16} aria-hidden />
          {t('app.connectionLost')}
        </div>
      )}
    </div>
  );
}

/** Moves the focus to the new page, where screen readers start, unless the page has focused its main control. */
function FocusPageOnNavigation() {
  const path = useRouterState({ select: (s) => s.resolvedLocation?.pathname });
  // Signing in counts as navigation, too.
  const [first, setFirst] = useState(navigator.userActivation?.hasBeenActive ? undefined : path);
  useEffect(() => {
    if (path === first) return;
    setFirst(path);
    if (document.activeElement?.hasAttribute('data-first-act')) return;
    document.getElementById('pane')?.focus({ preventScroll: true });
  }, [path, first]);
  return null;
}
