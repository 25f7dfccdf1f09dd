import { ChevronsUpDown, CircleUser, LogOut } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../../shared/contract/people/auth.ts';
import { signOut } from '../../../api/session/signOut.ts';
import { Menu, MenuItem } from '../../../components/choices/Menu.tsx';

/** The signed-in user: account and sign out. */
export function UserMenu({ me }: { me: Me }) {
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

/** Returns the initials of a name: "Anna Maria Schmidt" → "AS". */
const initialsOf = (name: string): string => {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word ? [...word][0] : ''));
  return letters.join('').toUpperCase() || '?';
};
