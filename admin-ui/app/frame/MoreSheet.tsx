import { Link } from '@tanstack/react-router';
import { CircleUser, LogOut, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { signOut } from '../../api/session/signOut.ts';
import { openedStore } from '../../api/session/storeWindow.ts';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { groupsFor, isBar } from './pages.ts';
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx';

type MoreSheetProps = {
  me: Me;
  onFind: () => void;
  onClose: () => void;
  /** Returns the number that is shown beside the link of a page. */
  count: (path: string) => ReactNode;
};

/** Sheet on a phone with the links to all pages that have no room in the bottom bar. */
export function MoreSheet({ me, onFind, onClose, count }: MoreSheetProps) {
  const { t } = useTranslation();
  const groups = groupsFor(me).filter((group) => !isBar(group));
  return (
    <Dialog title={me.current_organization?.name ?? t('nav.more')} onClose={onClose}>
      <div className="more-sheet">
        {me.accessible_workspaces.length > 1 && <WorkspaceSwitcher me={me} />}
        <Button
          className="rail-link"
          onPress={() => {
            onClose();
            onFind();
          }}
        >
          <Search aria-hidden />
          <span>{t('nav.find')}</span>
        </Button>
        {groups.map((group) => (
          <div key={group.places[0].path}>
            {group.title && <p className="rail-group">{t(group.title)}</p>}
            <ul>
              {group.places.map(({ path, title, icon: Icon }) => (
                <li key={path}>
                  <Link to={path} className="rail-link" activeProps={{ className: 'active' }} onClick={onClose}>
                    <Icon aria-hidden />
                    <span>{t(title)}</span>
                    {count(path)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {openedStore === undefined && (
          <ul className="more-own">
            <li>
              <Link to="/account" className="rail-link" activeProps={{ className: 'active' }} onClick={onClose}>
                <CircleUser aria-hidden />
                <span>{t('nav.account')}</span>
              </Link>
            </li>
            <li>
              <Button className="rail-link" onPress={() => void signOut()}>
                <LogOut aria-hidden />
                <span>{t('nav.signOut')}</span>
              </Button>
            </li>
          </ul>
        )}
      </div>
    </Dialog>
  );
}
