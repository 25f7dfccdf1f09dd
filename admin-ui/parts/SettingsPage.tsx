import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../shared/contract/auth.ts';
import { Notice, Page } from '../components/Page.tsx';
import { meQuery } from '../data/me.ts';
import './SettingsPage.css';

type Needs = 'anybody' | 'admin' | 'server';

const tabs = [
  { to: '/settings/people', label: 'settings.people', needs: 'admin' },
  { to: '/settings/workspaces', label: 'settings.workspaces', needs: 'anybody' },
  { to: '/settings/tokens', label: 'settings.tokens', needs: 'admin' },
  { to: '/settings/server', label: 'settings.server', needs: 'server' },
  { to: '/settings/updates', label: 'settings.updates', needs: 'server' },
  { to: '/account', label: 'settings.account', needs: 'anybody' },
  { to: '/settings/about', label: 'settings.about', needs: 'anybody' },
] as const;

const may = (me: Me, needs: Needs): boolean => needs === 'anybody' || (needs === 'admin' ? me.can_admin : me.is_platform_admin);

type SettingsPageProps = { title: string; lead?: string; actions?: ReactNode; needs: Needs; children: (me: Me) => ReactNode };

/** A page of the settings: the way to the others on top, and in place of what is not for this person a sentence that says so. */
export function SettingsPage({ title, lead, actions, needs, children }: SettingsPageProps) {
  const { t } = useTranslation();
  const me = useQuery(meQuery).data;
  if (!me) return null;
  const allowed = may(me, needs);
  return (
    <div className="settings">
      <nav className="settings-tabs" aria-label={t('settings.label')}>
        {tabs.map(({ to, label, needs: needed }) =>
          may(me, needed) ? (
            <Link key={to} to={to} className="settings-tab" activeProps={{ className: 'active' }}>
              {t(label)}
            </Link>
          ) : null,
        )}
      </nav>
      <Page title={title} lead={lead} actions={allowed && actions} narrow>
        {allowed ? (
          children(me)
        ) : (
          <Notice tone="info" title={t('settings.notForYou')}>
            {needs === 'server' ? t('settings.askServerAdmin') : t('common.askAdmin')}
          </Notice>
        )}
      </Page>
    </div>
  );
}
