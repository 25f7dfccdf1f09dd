import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import '../controls/Button.css';
import './Menu.css';

type MenuProps = {
  trigger: ReactNode;
  label: string;
  children: ReactNode;
  placement?: 'bottom end' | 'bottom start' | 'top start' | 'right bottom';
};

/** A button that opens a menu. `trigger` is a Button or IconButton. */
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

/**
 * The "More" menu of a row. Only the button is rendered until it is pressed, since long lists have hundreds of rows.
 */
export function RowMenu({ label, items }: { label: string; items: () => ReactNode }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="button quiet small icon-only row-menu"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <Ellipsis aria-hidden />
      </button>
      {open && (
        <Popover className="popover" placement="bottom end" triggerRef={trigger} isOpen onOpenChange={setOpen}>
          <AriaMenu className="menu" aria-label={label} autoFocus="first" onClose={() => setOpen(false)}>
            {items()}
          </AriaMenu>
        </Popover>
      )}
    </>
  );
}

type MenuItemProps = {
  icon?: LucideIcon;
  children: string;
  hint?: string;
  onAction?: () => void;
  href?: string;
  danger?: boolean;
  isDisabled?: boolean;
};

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
