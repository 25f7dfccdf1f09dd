import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Content, updateContent } from '../../../shared/contract/content/content.ts';
import { addItem, publishPlaylist } from '../../../shared/contract/content/playlists.ts';
import { requestPublish } from '../../../shared/contract/people/approvals.ts';
import { addAssignment } from '../../../shared/contract/screens/assignments.ts';
import { assignGroupContent } from '../../../shared/contract/screens/groups.ts';
import type { Design } from '../../../shared/design/design.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { createDesign, saveDesign } from '../../api/files/designs.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { meQuery } from '../../api/session/me.ts';
import { titleOf } from '../../domain/designs/fields.ts';
import type { NewPictures } from '../../domain/designs/newPictures.ts';
import { rememberPlaylist, type Where } from './useWhere.ts';

/** The step after creation. `add`: adds the design to the draft of the playlist. */
export type Next = 'publish' | 'save' | 'designer' | 'add';

interface NewDesign {
  readonly design: Design;
  readonly pictures: NewPictures;
  /** Folder for the design and its pictures; undefined: the server chooses. */
  readonly folder: string | undefined;
  readonly where: Where;
  /** Local minute; null: no end. */
  readonly until: string | null;
}

/** Hook that stores a new design and takes the next step. A second attempt after a failure stores nothing twice. */
export const useCreateDesign = ({ design, pictures, folder, where, until }: NewDesign) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mustAsk = useQuery({ ...meQuery, select: (me) => me.needs_approval }).data ?? false;
  const playlists = useQuery(playlistsQuery).data;
  const stored = useRef<Content>(undefined);
  /** Places that show the design already, after an attempt that failed later. */
  const shown = useRef(new Set<string>());
  const name = titleOf(design) || t('templates.untitled');

  const store = async (): Promise<Content> => {
    const document = await pictures.store(design, folder);
    stored.current = stored.current
      ? await saveDesign(stored.current, document, undefined)
      : await createDesign(document, name, folder ?? null);
    if (until !== null) {
      const body = { valid_until: until };
      stored.current = await client.call(updateContent, { params: { id: stored.current.id }, body });
    }
    return stored.current;
  };
  const once = async (place: string, run: () => Promise<unknown>): Promise<void> => {
    if (shown.current.has(place)) return;
    await run();
    shown.current.add(place);
  };
  const addTo = (playlist: string, content_id: string) =>
    once(`playlist:${playlist}`, () => client.call(addItem, { params: { id: playlist }, body: { content_id } }));
  /** Shows the content. Returns the number of screens. */
  const show = async (content_id: string): Promise<number> => {
    if (where.kind === 'screens') {
      let screens = 0;
      for (const { kind, id } of where.targets) {
        await once(`${kind}:${id}`, async () => {
          if (kind === 'group') {
            const { devices_updated } = await client.call(assignGroupContent, { params: { id }, body: { content_id } });
            screens += devices_updated;
          } else {
            await client.call(addAssignment, { params: { deviceId: id }, body: { content_id } });
            screens++;
          }
        });
      }
      return screens;
    }
    const id = where.id!;
    await addTo(id, content_id);
    if (mustAsk) await client.call(requestPublish, { params: { id }, body: { note: '' } });
    else await client.call(publishPlaylist, { params: { id } });
    rememberPlaylist(id);
    return playlists?.find((playlist) => playlist.id === id)?.display_count ?? 0;
  };

  const playlistId = where.kind === 'playlist' ? where.id : null;
  const playlist = playlists?.find(({ id }) => id === playlistId)?.name ?? '';
  return useEdit<Next, { content: Content; screens: number }>({
    topics: ['content', 'playlists', 'devices', 'groups', 'approvals'],
    run: async (next) => {
      const content = await store();
      if (next === 'add' && playlistId !== null) await addTo(playlistId, content.id);
      return { content, screens: next === 'publish' ? await show(content.id) : 0 };
    },
    said: ({ screens }, next) => {
      if (next === 'designer') return undefined;
      if (next === 'save') return t('templates.saved', { name });
      if (next === 'add') return t('templates.added', { name, playlist });
      if (where.kind === 'playlist' && mustAsk) return t('templates.asked', { name, playlist });
      return screens === 0 && where.kind === 'playlist'
        ? t('templates.publishedNowhere', { name, playlist })
        : t('templates.published', { name, count: screens });
    },
    done: ({ content }, next) => {
      // Nothing is unsaved any more, so leaving needs no question.
      const leave = { ignoreBlocker: true } as const;
      if (next === 'designer')
        void navigate({ to: '/content/$contentId/design', params: { contentId: content.id }, ...leave });
      else if (next === 'add' && playlistId !== null)
        void navigate({ to: '/playlists/$playlistId', params: { playlistId }, ...leave });
      else void navigate({ to: '/content', search: { show: content.id }, ...leave });
    },
  });
};
