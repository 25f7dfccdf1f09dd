/** Pictures that a person has chosen for a design and that are not in the library yet. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Content, uploadContent } from '../../../shared/contract/content/content.ts';
import type { Design } from '../../../shared/design/design.ts';
import type { DrawContext } from '../../../shared/design/draw/context.ts';
import { mediaOf, withMedia } from '../../../shared/design/read-design.ts';
import { sendFile } from '../../api/requests/sendFile.ts';

type Chosen = { readonly file: File; readonly url: string };

export interface NewPictures {
  /** Adds a file. Returns the id that stands for it in the design until it is stored. */
  add(file: File): string;
  /** Returns the picture of such an id for previews. */
  readonly media: DrawContext['media'];
  /** Uploads the files that a design shows, each once. Returns the design with the ids of their contents. */
  store(design: Design, folderId: string | undefined): Promise<Design>;
}

const PREFIX = 'new:';

/** Hook that keeps chosen files until the design is saved, so that a cancelled form leaves nothing in the library. */
export const useNewPictures = (): NewPictures => {
  const [files, setFiles] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const count = useRef(0);
  const latest = useRef(files);
  latest.current = files;
  /** Ids of stored contents by the id of the file: a second attempt to save uploads nothing twice. */
  const stored = useRef(new Map<string, string>());
  useEffect(
    () => () => {
      for (const { url } of latest.current.values()) URL.revokeObjectURL(url);
    },
    [],
  );
  const add = useCallback((file: File) => {
    const id = `${PREFIX}${++count.current}`;
    setFiles((now) => new Map(now).set(id, { file, url: URL.createObjectURL(file) }));
    return id;
  }, []);
  const media = useCallback<DrawContext['media']>(
    (id) => {
      const chosen = files.get(id);
      return chosen && { url: chosen.url, isVideo: false };
    },
    [files],
  );
  const store = async (design: Design, folderId: string | undefined): Promise<Design> => {
    for (const id of mediaOf(design)) {
      const chosen = files.get(id);
      if (!chosen || stored.current.has(id)) continue;
      const query = folderId === undefined ? {} : { folder_id: folderId };
      stored.current.set(id, (await sendFile<Content>(uploadContent, chosen.file, { query })).id);
    }
    return withMedia(design, (id) => stored.current.get(id) ?? (id.startsWith(PREFIX) ? null : id));
  };
  return { add, media, store };
};

let handedOver: File | undefined;
/** Passes a photo from the page where it was taken to the form of the new design. */
export const photo = {
  handOver: (file: File): void => {
    handedOver = file;
  },
  /** Returns the photo; undefined if there is none. The second call returns undefined. */
  take: (): File | undefined => {
    const file = handedOver;
    handedOver = undefined;
    return file;
  },
};
