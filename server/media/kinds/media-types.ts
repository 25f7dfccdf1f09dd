/** Maps media types to kinds of content. Used by the server and the media process. */

import type { ContentKind } from '../../../shared/contract/content/content.ts';
import { DESIGN_TYPE } from '../../../shared/design/design-type.ts';

/** Kinds of content that are files. */
export type FileKind = Extract<ContentKind, 'image' | 'video' | 'audio' | 'pdf' | 'design'>;

/** Media type of content from a video site. No stored file has this type. */
export const EMBED_MIME = 'video/embed';

/** Returns the kind of content for a media type; undefined for types that no screen can show. */
export const kindOfMime = (mime: string): ContentKind | undefined => {
  if (mime === EMBED_MIME) return 'embed';
  if (mime === 'application/pdf') return 'pdf';
  if (mime === DESIGN_TYPE) return 'design';
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'web';
  const [type] = mime.split('/');
  return type === 'image' || type === 'video' || type === 'audio' ? type : undefined;
};

const BY_EXTENSION: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pdf: 'application/pdf',
  design: DESIGN_TYPE,
};

/** Guesses the type from the last segment of an address. The real type is detected after the download. */
export const mimeOfPath = (path: string): string | undefined =>
  BY_EXTENSION[/\.([A-Za-z0-9]{1,5})$/.exec(path)?.[1]?.toLowerCase() ?? ''];

/** Returns the usual file extension of a media type, without a dot; '' when none is known. */
export const extensionOfMime = (mime: string): string =>
  Object.keys(BY_EXTENSION).find((extension) => BY_EXTENSION[extension] === mime) ?? '';

/** Codecs that the browsers of screens can play. Files with other codecs are never stored. */
export const isPlayableVideoCodec = (codec: string | null): boolean =>
  codec !== null && ['avc', 'hevc', 'vp8', 'vp9', 'av1'].includes(codec);
export const isPlayableAudioCodec = (codec: string | null): boolean =>
  codec !== null &&
  (['aac', 'mp3', 'opus', 'vorbis', 'flac', 'ulaw', 'alaw'].includes(codec) || codec.startsWith('pcm-'));
