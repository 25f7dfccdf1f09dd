import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import './Menu.css';

type MenuProps = { trigger: ReactNode; label: string; children: ReactNode; placement?: 'bottom end' | 'bottom start' | 'top start' | 'right bottom' };

/** `trigger` is a Button or IconButton. */
export function Menu({ trigger, label, children, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover" placement={placement}>
        <AriaMenu className="menu" aria-label={label}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

type MenuItemProps = { icon?: LucideIcon; children: string; hint?: string; onAction?: () => void; href?: string; danger?: boolean; isDisabled?: boolean };

export function MenuItem({ icon: Icon, children, hint, danger = false, ...rest }: MenuItemProps) {
  return (
    <AriaMenuItem {...rest} className={danger ? 'menu-item danger' : 'menu-item'} textValue={children}>
      {Icon && <Icon aria-hidden />}
      <span className="menu-text">
        <Text slot="label">{children}</Text>
        {hint && <Text slot="description">{hint}</Text>}
      </span>
    </AriaMenuItem>
  );
}
