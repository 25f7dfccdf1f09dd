/** Documents of designs for tests. */

const PLACE = { horizontal: 'left', vertical: 'top', dx: 0, dy: 0, width: 400, height: 200 };

/**
 * Returns the file of a design that shows these contents: the first as its background, each further one as an element.
 * @param style text that makes the file different from other files
 */
export const designFile = (contentIds: readonly string[], style = ''): Buffer => {
  const media = (content_id: string) => ({
    ...{ content_id, fit: 'fill', focus: { x: 0.5, y: 0.5 } },
    ...{ overlay: null, overlay_opacity: 0, zoom: false },
  });
  const [back, ...others] = contentIds;
  const page = {
    id: 'page',
    background: back === undefined ? { kind: 'none' } : { kind: 'media', media: media(back) },
    elements: others.map((id, n) => ({ type: 'media', id: `photo-${n}`, place: PLACE, media: media(id) })),
    layout: null,
    arrangements: {},
    duration_ms: null,
  };
  return Buffer.from(JSON.stringify({ format: 'vitrine-design', version: 1, template: false, style, pages: [page] }));
};
