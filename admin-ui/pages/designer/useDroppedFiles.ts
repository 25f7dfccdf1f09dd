import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../shared/design/design.ts';
import { FORMAT_SIZES, type PageFormat } from '../../../shared/design/page-formats.ts';
import { capturedDrop } from '../../components/fields/capturedDrop.ts';
import { filesIn } from '../../components/fields/fileDrop.utils.ts';
import { useDropTarget } from '../../components/hooks/dropTargets.ts';
import { added, moveTo, type Point, rectsIn, withElement } from './edits.ts';
import { newElement } from './newElement.ts';
import type { DesignEdits } from './useDesignEdits.ts';
import { useMediaUpload } from './useMediaUpload.ts';

/** Distance in percent between several pictures that are dropped together. */
const OFFSET = 4;
/** Share of the page's sides that a dropped picture takes at most, in percent. */
const MOST = 50;

/** Puts a picture of the content on the page around a point. */
const withPicture = (
  page: Page,
  content: { id: string; width: number | null; height: number | null },
  { x, y }: Point,
  format: PageFormat,
  t: Parameters<typeof newElement>[2],
): Page => {
  const element = newElement(page, { type: 'media', contentId: content.id }, t);
  const size = FORMAT_SIZES[format];
  const ratio = (content.width ?? 4) / (content.height || 3) / (size.width / size.height);
  const [width, height] = ratio >= 1 ? [MOST, MOST / ratio] : [MOST * ratio, MOST];
  const next = added(page, element);
  return next === page
    ? page
    : moveTo(next, element.id, { x: x - width / 2, y: y - height / 2, width, height }, format);
};

type DroppedFiles = {
  /** The frame of the page, in which files can be dropped at a place. */
  room: RefObject<HTMLDivElement | null>;
  board: RefObject<HTMLDivElement | null>;
  edits: DesignEdits;
  format: PageFormat;
  canEdit: boolean;
};

/**
 * Accepts files that are dropped on the page: on a picture, the first file replaces it; elsewhere, each file becomes a
 * new picture. Files that are dropped beside the page are placed in its middle.
 */
export const useDroppedFiles = ({ room, board, edits, format, canEdit }: DroppedFiles): void => {
  const { t } = useTranslation();
  const { upload } = useMediaUpload();
  const pageId = edits.page.id;
  /** Changes the page on which the files were dropped, also if another page is open when the upload ends. */
  const onPage = (edit: (page: Page) => Page) =>
    edits.onDesign((design) => ({
      ...design,
      pages: design.pages.map((page) => (page.id === pageId ? edit(page) : page)),
    }));
  const place = (files: readonly File[], at: Point, onto: string | undefined) =>
    files.forEach((file, index) => {
      upload([file], (content) =>
        onPage((page) => {
          const target = index === 0 ? page.elements.find(({ id }) => id === onto) : undefined;
          if (target?.type === 'media')
            return withElement(page, target.id, () => ({
              ...target,
              media: { ...target.media, content_id: content.id, focus: { x: 0.5, y: 0.5 } },
            }));
          return withPicture(page, content, { x: at.x + index * OFFSET, y: at.y + index * OFFSET }, format, t);
        }),
      );
    });
  useDropTarget(
    {
      title: t('designer.drop'),
      lead: t('designer.dropHelp'),
      onFiles: (files) =>
        place(
          files.map(({ file }) => file),
          { x: 50, y: 50 },
          undefined,
        ),
    },
    !canEdit,
  );
  const drop = useRef<(event: DragEvent) => void>(undefined);
  drop.current = (event) => {
    if (!canEdit || !board.current || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const box = board.current.getBoundingClientRect();
    const at = {
      x: ((event.clientX - box.x) / box.width) * 100,
      y: ((event.clientY - box.y) / box.height) * 100,
    };
    const onto = pictureAt(edits.page, at, format);
    // The list of files must be read during the event.
    const dropped = capturedDrop(event.dataTransfer);
    void filesIn(dropped).then((files) =>
      place(
        files.map(({ file }) => file),
        at,
        onto,
      ),
    );
  };
  useEffect(() => {
    const element = room.current;
    const listen = (event: DragEvent) => drop.current?.(event);
    element?.addEventListener('drop', listen);
    return () => element?.removeEventListener('drop', listen);
  }, [room]);
};

/** Returns the front picture at a point, or undefined. */
const pictureAt = (page: Page, { x, y }: Point, format: PageFormat): string | undefined => {
  const rects = rectsIn(page, format);
  return page.elements.findLast(({ id, type }) => {
    const rect = rects.get(id);
    return (
      type === 'media' && rect && x >= rect.x && y >= rect.y && x <= rect.x + rect.width && y <= rect.y + rect.height
    );
  })?.id;
};
