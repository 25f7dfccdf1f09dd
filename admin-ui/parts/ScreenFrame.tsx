import { MonitorOff } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import './ScreenFrame.css';

type ScreenFrameProps = {
  /** Width by height of the picture as people see it. */
  aspect: number;
  /** Degrees by which the player rotated the picture, to be reversed here. */
  turned?: number;
  src: string | null;
  /** '' if text beside it says everything. */
  alt: string;
  /** Dims a picture that is old because the screen is offline. */
  dim?: boolean;
  /** Shown if there is no picture. */
  blank: ReactNode;
  /** A drawing instead of `src`, upright already. */
  drawn?: ReactNode;
  /** In the corner: the picture's age. */
  over?: ReactNode;
};

export function ScreenFrame({ aspect, turned = 0, src, alt, dim = false, blank, drawn, over }: ScreenFrameProps) {
  const quarter = turned % 180 !== 0;
  const picture: CSSProperties = {
    width: quarter ? `${100 / aspect}%` : '100%',
    height: quarter ? `${100 * aspect}%` : '100%',
    transform: `translate(-50%, -50%) rotate(${-turned}deg)`,
  };
  return (
    <div className="screen-frame" {...(alt === '' && { 'aria-hidden': true })}>
      <div className={dim ? 'screen-glass dim' : 'screen-glass'} style={{ '--aspect': aspect } as CSSProperties}>
        {drawn ??
          (src ? (
            <img className="screen-picture" src={src} alt={alt} style={picture} />
          ) : (
            <span className="screen-blank">
              {dim && <MonitorOff aria-hidden />}
              {blank}
            </span>
          ))}
        {over && <span className="screen-over">{over}</span>}
      </div>
    </div>
  );
}
