import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUser, Ellipsis, KeyRound, LogOut, Megaphone, Search, WifiOff } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { alertCountsQuery } from '../../api/alertCounts.ts';
import { composer, useComposer } from '../../api/editing/composer.ts';
import { uploading } from '../../api/files/uploading.ts';
import { useConnection } from '../../api/live/useLive.ts';
import { useLiveConnection } from '../../api/live/useLiveConnection.ts';
import { useWaitingCount } from '../../api/requests/pending.ts';
import { canShow, meQuery } from '../../api/session/me.ts';
import { session } from '../../api/session/session.ts';
import { signOut } from '../../api/session/signOut.ts';
import { openedStore } from '../../api/session/storeWindow.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { capturedDrop, type Held } from '../../components/fields/capturedDrop.ts';
import { Wordmark } from '../../components/frame/Brand.tsx';
import { PageHelp } from '../../components/frame/Page.tsx';
import { withTexts } from '../../i18n/i18n.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { TypeAhead } from '../find/typeAhead.ts';
import { groupsFor, isBar, type NavigationPlace } from './pages.ts';
import { RouteFailure, RoutePending } from './RouteStates.tsx';
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx';
import './Shell.css';

const MustChangePassword = lazy(() =>
  withTexts(() => import('../MustChangePassword.tsx')).then((m) => ({ default: m.MustChangePassword })),
);
const MoreSheet = lazy(() => withTexts(() => import('./MoreSheet.tsx')).then((m) => ({ default: m.MoreSheet })));
const CommandPalette = lazy(() =>
  withTexts(() => import('../find/CommandPalette.tsx')).then((m) => ({ default: m.CommandPalette })),
);
const SignInAgain = lazy(() =>
  withTexts(() => import('../SignInAgain.tsx')).then(
    (m) => ({ default: m.SignInAgain }),
    () => {
      // The file is missing, so the server was updated meanwhile. The sign-in page opens and loads the new version.
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

function PlaceLink({ path, title, icon: Icon }: NavigationPlace) {
  const { t } = useTranslation();
  return (
    <Link to={path} className="rail-link" activeProps={{ className: 'active' }}>
      <Icon aria-hidden />
      <span>{t(title)}</span>
      {path === '/screens' && <Waiting />}
      {path === '/attention' && <Alerts />}
    </Link>
  );
}

function Count({ count, of, loud = false }: { count: number; of: string; loud?: boolean }) {
  const format = useFormat();
  if (count === 0) return null;
  return (
    <span className={loud ? 'rail-count loud' : 'rail-count'}>
      {format.number(count)}
      <span className="visually-hidden"> {of}</span>
    </span>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return <Count count={useWaitingCount()} of={t('nav.waiting')} />;
}

const useAlerts = () => {
  const { bad = 0, warn = 0, approvals = 0, campaigns = 0 } = useQuery(alertCountsQuery).data ?? {};
  return { count: bad + warn + approvals + campaigns, isLoud: bad + campaigns > 0 };
};

function Alerts() {
  const { t } = useTranslation();
  const { count, isLoud } = useAlerts();
  return <Count count={count} of={t('nav.alerting')} loud={isLoud} />;
}

/** Announces to screen readers when the number of alerts grows. */
function AlertsNews() {
  const { t } = useTranslation();
  const format = useFormat();
  const { count } = useAlerts();
  const [before, setBefore] = useState(count);
  const [news, setNews] = useState(0);
  if (count !== before) {
    setBefore(count);
    setNews(count > before ? count : 0);
  }
  return (
    <p role="status" className="visually-hidden">
      {news > 0 && `${t('nav.attention')}: ${format.number(news)} ${t('nav.alerting')}`}
    </p>
  );
}

function UserMenu({ me }: { me: Me }) {
  const { t } = useTranslation();
  return (
    <Menu
      label={t('nav.account')}
      placement="top start"
      trigger={
        <Button className="rail-user" aria-label={`${me.name} ${me.email}, ${t('nav.account')}`}>
          <span className="avatar" data-initials={initialsOf(me.name)} aria-hidden />
          <span className="rail-user-text">
            <strong className="truncate">{me.name}</strong> <small className="truncate">{me.email}</small>
          </span>
          <ChevronsUpDown aria-hidden />
        </Button>
      }
    >
      <MenuItem icon={CircleUser} href="#/account">
        {t('nav.account')}
      </MenuItem>
      <MenuItem icon={LogOut} onAction={() => void signOut()}>
        {t('nav.signOut')}
      </MenuItem>
    </Menu>
  );
}

function BottomBar({ me, onFind }: { me: Me; onFind: () => void }) {
  const { t } = useTranslation();
  const [more, setMore] = useState(false);
  return (
    <nav className="bottom-bar" aria-label={t('nav.label')}>
      <ul>
        {groupsFor(me)
          .filter(isBar)
          .flatMap((group): readonly NavigationPlace[] => group.places)
          .map((place) => (
            <li key={place.path}>
              <PlaceLink {...place} />
            </li>
          ))}
        {canShow(me) && (
          <li>
            <Button className="rail-link" onPress={() => composer.open()} aria-label={t('nav.messageNow')}>
              <Megaphone aria-hidden />
              <span>{t('nav.message')}</span>
            </Button>
          </li>
        )}
        <li>
          <Button className="rail-link" onPress={() => setMore(true)}>
            <Ellipsis aria-hidden />
            <span>{t('nav.more')}</span>
            <Alerts />
          </Button>
        </li>
      </ul>
      {more && (
        <Suspense>
          <MoreSheet
            me={me}
            onFind={onFind}
            onClose={() => setMore(false)}
            count={(path) => path === '/attention' && <Alerts />}
          />
        </Suspense>
      )}
    </nav>
  );
}

/**
 * Returns whether files have been dragged over the window. The drop handler is loaded only then. Without it, the
 * browser would leave this page and open the files.
 */
const useFilesHeld = () => {
  const [held, setHeld] = useState<{ early?: Held }>();
  useEffect(() => {
    const see = (event: DragEvent) => {
      const { type, dataTransfer, defaultPrevented } = event;
      if (!dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (type === 'drop' && !defaultPrevented) setHeld({ early: capturedDrop(dataTransfer) });
      else setHeld((before) => before ?? {});
    };
    const names = ['dragover', 'drop'] as const;
    for (const name of names) addEventListener(name, see);
    return () => {
      for (const name of names) removeEventListener(name, see);
    };
  }, []);
  return held;
};

/** Milliseconds that the live connection may be lost before a message appears. */
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
  // The first page counts as a navigation only if the user has already acted in this document, as when signing in.
  const [first, setFirst] = useState(navigator.userActivation?.hasBeenActive ? undefined : path);
  useEffect(() => {
    if (path === first) return;
    setFirst(path);
    if (document.activeElement?.hasAttribute('data-first-act')) return;
    document.getElementById('pane')?.focus({ preventScroll: true });
  }, [path, first]);
  return null;
}

/** Returns the initials of a name: "Anna Maria Schmidt" → "AS". */
const initialsOf = (name: string): string => {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word ? [...word][0] : ''));
  return letters.join('').toUpperCase() || '?';
};

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
/** Shortcut of the command palette, as printed on the keys. */
const paletteKey = isApple ? '⌘K' : 'Ctrl K';

/** Captures keys that are typed while the palette is loading. */
const typedAhead = new TypeAhead(window);

/**
 * The command palette. Ctrl+K or Cmd+K opens and closes it from anywhere. Keys that are typed while it loads are
 * entered into its field.
 */
const usePalette = () => {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    typedAhead.begin();
    setOpen(true);
  };
  const close = () => {
    typedAhead.end();
    setOpen(false);
  };
  const toggle = useRef(open);
  toggle.current = isOpen ? close : open;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(isApple ? event.metaKey : event.ctrlKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      toggle.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return { isOpen, open, close };
};
