/** Documents of designs: the files of contents of the kind `design`. */
import { queryOptions } from '@tanstack/react-query';
import { type Content, replaceContent, uploadContent } from '../../../shared/contract/content/content.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Design } from '../../../shared/design/design.ts';
import { DESIGN_TYPE } from '../../../shared/design/design-type.ts';
import { readDesign } from '../../../shared/design/read-design.ts';
import { client } from '../requests/client.ts';
import { sendFile } from '../requests/sendFile.ts';
import { fileUrl } from './content.ts';
import { fetchBlob } from './images.ts';

/**
 * Query for the document of a design. `sha256` identifies the version, so that a document is fetched once per version.
 */
export const designQuery = (id: string, sha256: string) =>
  queryOptions({
    queryKey: ['content', 'design', id, sha256],
    queryFn: async ({ signal }): Promise<Design> => {
      const blob = await fetchBlob(fileUrl(id), client.headers(), signal);
      const read = readDesign(await blob.text());
      if ('refused' in read) throw new ApiError(400, read.refused);
      return read.design;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

const fileOf = (design: Design, name: string): File => new File([JSON.stringify(design)], name, { type: DESIGN_TYPE });

/** Adds a design to the library. @param folderId null: no folder */
export const createDesign = (design: Design, name: string, folderId: string | null = null): Promise<Content> =>
  sendFile(uploadContent, fileOf(design, name), { query: folderId === null ? {} : { folder_id: folderId } });

/** Replaces the document of a design. @throws ApiError 412 when somebody else has saved since `etag` */
export const saveDesign = (
  content: Pick<Content, 'id' | 'filename'>,
  design: Design,
  etag: string | undefined,
): Promise<Content> =>
  sendFile(replaceContent, fileOf(design, content.filename), {
    params: { id: content.id },
    ...(etag !== undefined && { ifMatch: etag }),
  });
