import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { programQuery } from '../../../api/screens.ts';
import { ScenePicture } from '../../../domain/preview/ScenePicture.tsx';
import './drawnScreen.css';
import { drawnZones } from './drawn.utils.ts';
import { pictureSize } from './playbackPreview.utils.ts';

type DrawnScreenProps = { screen: Device; label: string; blank: string };

/**
 * Drawing for a screen that cannot take a screenshot, made from the screen's reports. A screen of a wall shows its
 * part of the picture.
 */
export function DrawnScreen({ screen, label, blank }: DrawnScreenProps) {
  const { data } = useQuery({ ...programQuery(screen.id), staleTime: 60_000 });
  const shown = data ? drawnZones(data.program, screen.showing) : [];
  if (!data || shown.length === 0) return <span className="screen-blank">{blank}</span>;
  const size = pictureSize(screen, data.placement);
  const { wall } = data.placement;
  const { canvas, tile } = wall ?? { canvas: size, tile: { x: 0, y: 0, ...size } };
  const whole: CSSProperties = {
    width: `${(100 * canvas.width) / tile.width}%`,
    left: `${(-100 * tile.x) / tile.width}%`,
    top: `${(-100 * tile.y) / tile.height}%`,
  };
  return (
    <div className="screen-drawn">
      <div className="drawn-panel" style={{ '--panel': tile.width / tile.height } as CSSProperties}>
        <div className="drawn-whole" style={whole}>
          <ScenePicture {...size} shown={shown} label={label} />
        </div>
      </div>
    </div>
  );
}
