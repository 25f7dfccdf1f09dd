import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import './Button.css';
import { Spinner } from './Spinner.tsx';

type Look = {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet';
  size?: 'small' | 'medium';
  wide?: boolean;
};

const classOf = ({ variant = 'secondary', size = 'medium', wide = false }: Look, iconOnly = false): string =>
  ['button', variant, size === 'small' && 'small', wide && 'wide', iconOnly && 'icon-only'].filter(Boolean).join(' ');

type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> &
  Look & { icon?: LucideIcon | undefined; children: ReactNode; ref?: Ref<HTMLButtonElement> };

/** A button. While `isPending`, it cannot be pressed again, and screen readers announce this. */
export function Button({ variant, size, wide, icon: Icon, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={classOf({ variant, size, wide } as Look)}>
      {rest.isPending ? <Spinner /> : Icon && <Icon aria-hidden />}
      {children}
    </AriaButton>
  );
}

type IconButtonProps = Omit<ButtonProps, 'icon' | 'children' | 'wide' | 'aria-label'> & {
  icon: LucideIcon;
  label: string;
};

/** A button with only an icon. The label is its accessible name and its tooltip. */
export function IconButton({ variant = 'quiet', size, icon: Icon, label, ...rest }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={60}>
      <AriaButton {...rest} aria-label={label} className={classOf({ variant, size } as Look, true)}>
        {rest.isPending ? <Spinner /> : <Icon aria-hidden />}
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> &
  Look & { icon?: LucideIcon | undefined; ref?: Ref<HTMLAnchorElement> };

/** A link to another site that looks like a button. */
export function Anchor({ variant, size, wide, icon: Icon, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={classOf({ variant, size, wide } as Look)}>
      {Icon && <Icon aria-hidden />}
      {children}
    </a>
  );
}

/** A link to another page of the window that looks like a button. */
export const ButtonLink = createLink(Anchor);
