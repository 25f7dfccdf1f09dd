/** Converts addresses of videos on a video site to the address of the site's player. */
import { badRequest } from '../../../shared/contract/errors.ts';

interface SiteVideo {
  readonly embedUrl: string;
  /** Name of the content when none is given. */
  readonly title: string;
}

/** @throws ApiError 400 if the address is not a video on a known site */
export const readVideoAddress = (address: string): SiteVideo => {
  const found = parse(address);
  if (!found)
    throw badRequest(
      'url: is not the address of a video on YouTube, Vimeo or Dailymotion. Open the video, and copy the address from there.',
    );
  return found;
};

const parse = (address: string): SiteVideo | undefined => {
  // Adds https:// to an address without a scheme, because browsers hide the scheme of addresses that people copy.
  const text = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address.replace(/^\/\//, '')}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password || url.port)
    return undefined;
  const host = url.hostname.toLowerCase().replace(/^(www|m|music)\./, '');
  const path = url.pathname.split('/').filter(Boolean);
  switch (host) {
    case 'youtube.com':
    case 'youtube-nocookie.com':
      return youtube(
        path[0] === 'watch'
          ? url.searchParams.get('v')
          : ['embed', 'shorts', 'live', 'v', 'e'].includes(path[0] ?? '')
            ? path[1]
            : undefined,
        url,
      );
    case 'youtu.be':
      return youtube(path[0], url);
    case 'vimeo.com':
    case 'player.vimeo.com':
      return vimeo(path, url);
    case 'dailymotion.com':
      return dailymotion(
        path[0] === 'video' ? path[1] : path[0] === 'embed' && path[1] === 'video' ? path[2] : undefined,
      );
    case 'geo.dailymotion.com':
      return dailymotion(url.searchParams.get('video'));
    case 'dai.ly':
      return dailymotion(path[0]);
    default:
      return undefined;
  }
};

const youtube = (id: string | null | undefined, url: URL): SiteVideo | undefined => {
  if (!id || !/^[\w-]{11}$/.test(id)) return undefined;
  const start = secondsOf(url.searchParams.get('start') ?? url.searchParams.get('t'));
  return {
    embedUrl: `https://www.youtube.com/embed/${id}${start > 0 ? `?start=${start}` : ''}`,
    title: `YouTube ${id}`,
  };
};

/** Parses a start time in the form `90`, `90s`, `1m30s` or `1h2m3s`. */
const secondsOf = (time: string | null): number => {
  const found = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(time ?? '');
  return found ? Number(found[1] ?? 0) * 3600 + Number(found[2] ?? 0) * 60 + Number(found[3] ?? 0) : 0;
};

const vimeo = (path: readonly string[], url: URL): SiteVideo | undefined => {
  const at = path.findIndex((segment) => /^\d{5,12}$/.test(segment));
  if (at < 0) return undefined;
  // The key of an unlisted video follows its id in the path, or is the parameter `h`.
  const key = path[at + 1] ?? url.searchParams.get('h');
  const query = key && /^[0-9a-f]{6,20}$/.test(key) ? `?h=${key}` : '';
  return { embedUrl: `https://player.vimeo.com/video/${path[at]}${query}`, title: `Vimeo ${path[at]}` };
};

const dailymotion = (segment: string | null | undefined): SiteVideo | undefined => {
  // Reads only the id: in older addresses, the title of the video follows the id (x7tgad0_some-title).
  const id = /^(x?[a-z0-9]{5,10})(_|$)/i.exec(segment ?? '')?.[1];
  return id ? { embedUrl: `https://www.dailymotion.com/embed/video/${id}`, title: `Dailymotion ${id}` } : undefined;
};
