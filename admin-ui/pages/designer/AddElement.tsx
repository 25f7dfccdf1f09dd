import {
  Clock,
  CloudSun,
  Hourglass,
  Image,
  type LucideIcon,
  Plus,
  QrCode,
  Shapes,
  Smile,
  Stamp,
  Table,
  Tag,
  Type,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ElementType } from '../../../shared/design/elements.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button } from '../../components/controls/Button.tsx';
import type { NewElement } from './newElement.ts';

export const ELEMENT_ICONS: Readonly<Record<ElementType, LucideIcon>> = {
  text: Type,
  media: Image,
  price: Tag,
  table: Table,
  shape: Shapes,
  icon: Smile,
  qr: QrCode,
  logo: Stamp,
  countdown: Hourglass,
  clock: Clock,
  weather: CloudSun,
};

/** Kinds of elements that people add. Weather is missing, because there is no source of its data yet. */
const ADDED = (Object.keys(ELEMENT_ICONS) as ElementType[]).filter((type) => type !== 'weather');

/** Menu of all kinds of elements. */
export function AddElement({ onAdd }: { onAdd: (what: NewElement) => void }) {
  const { t } = useTranslation();
  return (
    <Menu
      label={t('designer.add')}
      trigger={
        <Button icon={Plus} variant="primary">
          {t('designer.add')}
        </Button>
      }
    >
      {ADDED.map((type) => (
        <MenuItem key={type} icon={ELEMENT_ICONS[type]} onAction={() => onAdd({ type })}>
          {t(`designer.types.${type}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
