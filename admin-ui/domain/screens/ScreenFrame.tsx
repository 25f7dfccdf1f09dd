import { MonitorOff } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import './ScreenFrame.css';

type ScreenFrameProps = {
  /** Aspect ratio (width divided by height) of the picture as people see it. */
  aspect: number;
  /** Degrees by which the player rotated the picture. The frame rotates it back. */
  turned?: number;
  src: string | null;
  /** Text for screen readers; '' if text beside the picture says everything. */
  alt: string;
  /** Dims a picture that is old because its screen is offline. */
  dim?: boolean;
  /** Content of the frame if there is no picture. */
  blank: ReactNode;
  /** A drawing in place of `src`. The drawing is upright already. */
  drawn?: ReactNode;
  /** Text in the corner: the age of the picture. */
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
