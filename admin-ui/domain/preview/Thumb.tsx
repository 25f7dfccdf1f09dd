import {
  FileText,
  Film,
  Globe,
  Image,
  LayoutTemplate,
  type LucideIcon,
  Music,
  Play,
  SquareDashed,
  SquarePlay,
} from 'lucide-react';
import './Thumb.css';

export type ThumbKind = 'image' | 'video' | 'audio' | 'pdf' | 'web' | 'embed' | 'design' | 'widget' | 'missing';
const icons: Record<ThumbKind, LucideIcon> = {
  image: Image,
  video: Film,
  audio: Music,
  pdf: FileText,
  web: Globe,
  embed: SquarePlay,
  design: LayoutTemplate,
  widget: SquareDashed,
  missing: SquareDashed,
};

type ThumbProps = {
  kind: ThumbKind;
  /** Address of the picture; null while the picture loads, or if there is none. */
  src: string | null;
  /** Duration of a clip, in words. */
  length?: string | undefined;
  small?: boolean;
  /** Whether the picture fills its area and is cropped if necessary. Otherwise the whole picture is visible. */
  cover?: boolean;
};

/** A small picture. Hidden from screen readers, because the name is beside it. */
export function Thumb({ kind, src, length, small = false, cover = false }: ThumbProps) {
  const Icon = icons[kind];
  return (
    <span className={['thumb', small && 'small', cover && 'cover'].filter(Boolean).join(' ')}>
      {src ? <img src={src} alt="" draggable={false} decoding="async" /> : <Icon aria-hidden />}
      {length !== undefined && (
        <span className="thumb-mark">
          {kind === 'video' && src && <Play aria-hidden />}
          {length}
        </span>
      )}
    </span>
  );
}
