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
      {Object.entries(ELEMENT_ICONS).map(([type, icon]) => (
        <MenuItem key={type} icon={icon} onAction={() => onAdd({ type: type as ElementType })}>
          {t(`designer.types.${type as ElementType}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
