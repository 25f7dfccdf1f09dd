import { useSyncExternalStore } from 'react';
import { replaceContent, uploadContent } from '../../../shared/contract/content/content.ts';
import { worded } from '../../i18n/sentences.ts';
import { ownEdits } from '../editing/ownEdits.ts';
import { client } from '../requests/client.ts';
import { queryClient } from '../requests/queryClient.ts';
import { rootsOf } from '../requests/topics.ts';
import { session } from '../session/session.ts';
import { uploading } from './uploading.ts';
import { type Send, Uploads } from './uploads.ts';

/** Sends a file with XMLHttpRequest, since fetch does not report upload progress. */
const send: Send = (file, { progress, done, failed }, { folderId, replace }) => {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append('file', file, file.name);
  const endEdit = ownEdits.begin(['content']);
  if (replace) request.open(replaceContent.method, client.url(replaceContent, { id: replace.id }));
  else request.open(uploadContent.method, client.url(uploadContent, {}, { folder_id: folderId }));
  if (replace?.etag) request.setRequestHeader('If-Match', replace.etag);
  for (const [name, value] of Object.entries(client.headers())) request.setRequestHeader(name, value);
  request.responseType = 'json';
  // `loaded` counts all bytes of the form, which are a few more than the file. So the progress stays below the file
  // size until all bytes are sent.
  request.upload.onprogress = (event) =>
    progress(event.loaded >= event.total ? file.size : Math.min(event.loaded, file.size - 1));
  request.onload = () => {
    endEdit();
    if (request.status === 201 || request.status === 200) return done(request.response);
    if (request.status === 401) session.end();
    const { error } = (request.response ?? {}) as { error?: string };
    failed(request.status, error === undefined ? null : worded(error));
  };
  request.onerror = () => {
    endEdit();
    failed(0, null);
  };
  request.onabort = endEdit;
  request.send(form);
  return { abort: () => request.abort() };
};

let refreshing = false;
/** Refreshes the content list after a short delay. A hundred uploads must not cause a hundred fetches of the list. */
const refreshSoon = () => {
  if (refreshing) return;
  refreshing = true;
  setTimeout(() => {
    refreshing = false;
    const roots = new Set(rootsOf('content'));
    void queryClient.invalidateQueries({ predicate: (q) => roots.has(String(q.queryKey[0])) });
  }, 400);
};

export const uploads = new Uploads({ send, onDone: refreshSoon });
uploads.subscribe(uploading.begin);

addEventListener('beforeunload', (event) => {
  if (uploads.busy()) event.preventDefault();
});
// Cancels and removes all uploads when the user signs out: the next user must neither see nor continue them.
session.subscribe(() => {
  if (session.token() !== null) return;
  for (const upload of uploads.all())
    if (upload.state === 'waiting' || upload.state === 'sending' || upload.state === 'checking')
      uploads.cancel(upload.id);
  uploads.clear();
});

export const useUploads = () => useSyncExternalStore(uploads.subscribe, uploads.all);
