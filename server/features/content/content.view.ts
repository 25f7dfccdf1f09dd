import type { Content } from '../../../shared/contract/content/content.ts';
import type { MediaFormat } from '../../../shared/formats/media-format.ts';
import type { ContentRow } from './content.store.ts';

/** @param formats codecs of stored files, by hash */
export const toContent = (row: ContentRow, formats: ReadonlyMap<string, MediaFormat>): Content => ({
  id: row.id,
  filename: row.filename,
  mime_type: row.mime_type,
  kind: row.kind,
  file_size: row.file_size,
  duration_sec: row.duration_sec,
  width: row.width,
  height: row.height,
  format: (row.sha256 && formats.get(row.sha256)) || null,
  remote_url: row.remote_url,
  thumbnail_path: row.thumbnail ? `/api/content/${row.id}/thumbnail` : null,
  folder: row.folder,
  folder_id: row.folder_id,
  workspace_id: row.workspace_id,
  sha256: row.sha256,
  fetched_at: row.fetched_at,
  fetch_error: row.fetch_error,
  valid_from: row.valid_from,
  valid_until: row.valid_until,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
