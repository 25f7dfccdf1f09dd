import { useFormat } from '../../../i18n/useFormat.ts';
import { rulerOf, type View } from './map.utils.ts';

/** Scale bar of the map. */
export function MapRuler({ view }: { view: View }) {
  const format = useFormat();
  const { metres, width } = rulerOf(view);
  return (
    <div className="map-ruler" style={{ width }} aria-hidden>
      {metres >= 1000 ? format.unit(metres / 1000, 'kilometer') : format.unit(metres, 'meter')}
    </div>
  );
}
