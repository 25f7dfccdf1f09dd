import {
  Beer,
  Clock,
  Coffee,
  Gift,
  Heart,
  Info,
  type LucideIcon,
  MapPin,
  Percent,
  Phone,
  Pizza,
  ShoppingCart,
  Star,
  Tag,
  Utensils,
  Wifi,
  Wine,
} from 'lucide-react';

const DRAWINGS: Readonly<Record<string, LucideIcon>> = {
  ...{ coffee: Coffee, utensils: Utensils, pizza: Pizza, beer: Beer, wine: Wine, 'shopping-cart': ShoppingCart },
  ...{ tag: Tag, percent: Percent, star: Star, heart: Heart, gift: Gift, clock: Clock, 'map-pin': MapPin },
  ...{ phone: Phone, wifi: Wifi, info: Info },
};

/** The drawing of an icon of designs. */
export function IconDrawing({ name }: { name: string }) {
  const Drawing = DRAWINGS[name];
  return Drawing ? <Drawing aria-hidden /> : null;
}
