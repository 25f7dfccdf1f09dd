import { OWNERS } from '../../../shared/contract/people/owner.ts';
import type { ContentFilter } from '../../api/files/content.ts';

export const kinds = ['all', 'image', 'video', 'audio', 'pdf', 'web', 'design'] as const;
export const sorts = ['newest', 'oldest', 'name', 'size'] as const;
export type Sort = (typeof sorts)[number];
export const views = ['grid', 'list'] as const;
export type View = (typeof views)[number];

export const validities = ['all', 'soon', 'over', 'future'] as const;

export type ContentSearch = {
  q?: string;
  type?: string;
  sort?: string;
  folder?: string;
  label?: string;
  validity?: string;
  owner?: string;
};

/** Returns the filter of an address. Invalid values are left out. */
export const filterOf = ({ q, type, sort, folder, label, validity, owner }: ContentSearch): ContentFilter => {
  const kind = kinds.find((k) => k === type);
  const standing = validities.find((v) => v === validity);
  const whose = OWNERS.find((one) => one === owner);
  const order = sorts.find((s) => s === sort);
  return {
    ...(q && { q }),
    ...(kind && kind !== 'all' && { type: kind }),
    ...(order && order !== 'newest' && { sort: order }),
    ...(standing && standing !== 'all' && { validity: standing }),
    ...(whose && { owner: whose }),
    ...(folder && { folder_id: folder }),
    ...(label && { folder: label }),
  };
};

/** Data type for dragging contents; the data is a list of ids as JSON. */
export const DRAGGED = 'application/x-vitrine-content';

const VIDEO_SITES = /(^|\.)(youtube\.com|youtube-nocookie\.com|youtu\.be|vimeo\.com|dailymotion\.com|dai\.ly)$/i;

/**
 * Returns the kind of an address: a video of a video site needs a special player. Undefined if the address is
 * invalid.
 */
export const addressKind = (address: string): 'video' | 'remote' | undefined => {
  try {
    const url = new URL(address.trim());
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    return VIDEO_SITES.test(url.hostname) ? 'video' : 'remote';
  } catch {
    return undefined;
  }
};
