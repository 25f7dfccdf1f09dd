import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../api/session/me.ts';
import { Notice, Page } from '../../components/frame/Page.tsx';
import { worded } from '../../i18n/sentences.ts';
import { may, refusalOf, settingsGroups, settingsPlaces } from './pages.ts';
import './SettingsFrame.css';

/** Navigation above each settings page. If the user may not see the page, a message is shown instead of it. */
export function SettingsFrame() {
  const { t } = useTranslation();
  const me = useQuery(meQuery).data;
  const address = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const here = settingsPlaces.find(({ path }) => path === address);
  if (!me || !here) return null;
  const refused = 'about' in here ? refusalOf(here.about) : undefined;
  return (
    <div className="settings">
      <nav className="settings-tabs" aria-label={t('nav.settings')}>
        {settingsGroups.map((group) => {
          const places = settingsPlaces.filter((place) => place.group === group && may(me, place));
          if (places.length === 0) return null;
          return (
            <div key={group} className="settings-group">
              <p>{t(`settings.groups.${group}`)}</p>
              <ul>
                {places.map((place) => (
                  <li key={place.path}>
                    <Link to={place.path} className="settings-tab" activeProps={{ className: 'active' }}>
                      {'tab' in place ? t(place.tab) : t(place.title)}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </nav>
      {may(me, here) ? (
        <Outlet />
      ) : (
        <Page title={t(here.title)} narrow>
          <Notice tone="info" title={t('settings.notForYou')}>
            {refused === undefined
              ? t(here.needs === 'server' ? 'settings.askServerAdmin' : 'common.askAdmin')
              : worded(refused)}
          </Notice>
        </Page>
      )}
    </div>
  );
}
