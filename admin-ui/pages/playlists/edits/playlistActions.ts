import {
  discardPlaylist,
  publishPlaylist,
  returnToPlaylistVersion,
  updatePlaylist,
} from '../../../../shared/contract/content/playlists.ts';
import { requestPublish } from '../../../../shared/contract/people/approvals.ts';
import type { Transition } from '../../../../shared/program/program.ts';
import { client } from '../../../api/requests/client.ts';
import type { RunEdit } from './itemActions.ts';

/** Edits of the playlist as a whole, and its publishing. */
export const playlistActions = (id: string, run: RunEdit) => {
  const params = { id };
  return {
    rename: (name: string) =>
      run({
        apply: (p) => ({ ...p, name }),
        send: (ifMatch) => client.request(updatePlaylist, { params, body: { name }, ifMatch }),
      }),
    setDefaultTransition: (transition: Transition | null) =>
      run({
        apply: (p) => ({ ...p, transition, status: 'draft' }),
        send: (ifMatch) => client.request(updatePlaylist, { params, body: { transition }, ifMatch }),
        settle: (p, { status }) => ({ ...p, status }),
      }),
    publish: () =>
      run({
        apply: (p) => p,
        send: (ifMatch) => client.request(publishPlaylist, { params, ifMatch }),
        settle: (_, answer) => answer,
      }),
    ask: (note: string) =>
      run(
        {
          apply: (p) => p,
          send: (ifMatch) => client.request(requestPublish, { params, body: { note }, ifMatch }),
        },
        // It changes no playlist, so announcements about playlists are no echoes.
        [],
      ),
    returnTo: (version: number) =>
      run({
        apply: (p) => p,
        send: (ifMatch) =>
          client.request(returnToPlaylistVersion, { params: { id, version: String(version) }, ifMatch }),
        settle: (_, answer) => answer,
      }),
    discard: () =>
      run({
        apply: (p) => p,
        send: (ifMatch) => client.request(discardPlaylist, { params, ifMatch }),
        settle: (_, answer) => answer,
      }),
  };
};
