import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/useFormat.ts';
import type { Place } from './place.utils.ts';

/** Returns functions that write degrees in words: "52.52° N". */
export const useDegreeWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return (axis: keyof Place, value: number): string => {
    const degrees = format.number(Math.abs(value), 6);
    if (axis === 'latitude') return t(value < 0 ? 'stores.map.south' : 'stores.map.north', { degrees });
    return t(value < 0 ? 'stores.map.west' : 'stores.map.east', { degrees });
  };
};

/** Returns a function that writes a location in words: "52.52° N, 13.405° E". */
export const usePlaceWords = () => {
  const words = useDegreeWords();
  return ({ latitude, longitude }: Place): string => `${words('latitude', latitude)}, ${words('longitude', longitude)}`;
};
