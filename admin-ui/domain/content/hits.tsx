/** Display of search results: picture, and details that distinguish results with the same name. */
import type { ParseKeys, TFunction } from 'i18next';
import {
  Blocks,
  CalendarDays,
  Clapperboard,
  Folder,
  Grid2x2,
  Group,
  LayoutDashboard,
  type LucideIcon,
  Monitor,
  MonitorSmartphone,
  Pointer,
  Tag,
  Tags,
  UserRound,
} from 'lucide-react';
import type { SearchHit, SearchKind } from '../../../shared/contract/server/search.ts';
import { useImage } from '../../api/files/useImage.ts';
import type { Finding } from '../../api/requests/useFound.ts';
import type { FindRow } from '../../components/lists/FindBox.tsx';
import { Thumb, type ThumbKind } from '../preview/Thumb.tsx';
import { templateName } from '../records/templateName.ts';

export const hitIcons: Record<Exclude<SearchKind, 'content'> | 'all', LucideIcon> = {
  all: MonitorSmartphone,
  device: Monitor,
  group: Group,
  tag: Tag,
  folder: Folder,
  label: Tags,
  playlist: Clapperboard,
  widget: Blocks,
  layout: LayoutDashboard,
  wall: Grid2x2,
  kiosk: Pointer,
  plan: CalendarDays,
  person: UserRound,
};

export const hitTitles: Record<SearchKind, ParseKeys> = {
  device: 'nav.screens',
  group: 'nav.groups',
  tag: 'find.tags',
  playlist: 'nav.playlists',
  content: 'nav.content',
  folder: 'find.folders',
  label: 'find.labels',
  widget: 'nav.widgets',
  layout: 'nav.layouts',
  wall: 'nav.walls',
  kiosk: 'nav.kiosk',
  plan: 'find.plans',
  person: 'find.people',
};

/** Name of a result. Templates of the server are named in the user's language. */
export const nameOfHit = ({ kind, id, name, type }: SearchHit, t: TFunction): string =>
  kind === 'layout' ? templateName({ id, name, is_template: type === 'template' ? 1 : 0 }, t) : name;

/** Text that is shown when there are no results. */
export const noneOf = (state: Finding['state'], text: string, t: TFunction): string => {
  if (state === 'looking') return t('find.looking');
  if (state === 'failed') return t('find.failed');
  return text.trim() === '' ? t('find.nothingYet') : t('find.nothing', { text: text.trim() });
};

/** The result's picture if there is one, otherwise the icon of its kind. */
export function HitPicture({ hit }: { hit: Pick<SearchHit, 'kind' | 'type' | 'thumbnail'> }) {
  const image = useImage(hit.thumbnail);
  if (hit.kind === 'content' || hit.thumbnail !== null)
    return (
      <Thumb
        small
        cover
        kind={hit.kind === 'content' ? (hit.type as ThumbKind) : 'missing'}
        src={image.status === 'ready' ? image.src : null}
      />
    );
  const Icon = hitIcons[hit.kind as keyof typeof hitIcons];
  return <Icon aria-hidden />;
}

export const rowOf = (hit: SearchHit, t: TFunction): FindRow => ({
  id: `${hit.kind}:${hit.id}`,
  name: nameOfHit(hit, t),
  hint: hit.hint || undefined,
  aside: hit.screens === null ? undefined : t('common.screens', { count: hit.screens }),
  picture: <HitPicture hit={hit} />,
});

/** Reads kind and id from the id of a row. A tag may contain any character. */
export const hitOfRow = (row: string): { kind: SearchKind; id: string } => {
  const at = row.indexOf(':');
  return { kind: row.slice(0, at) as SearchKind, id: row.slice(at + 1) };
};
