import { Copy, Plus, Trash2 } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { type Design, MAX_PAGES } from '../../../shared/design/design.ts';
import { useBrand } from '../../api/brand.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';
import type { DesignEdits } from './useDesignEdits.ts';

type PageStripProps = { edits: DesignEdits; design: Design; canEdit: boolean };

/** Small pictures of all pages. A design with several pages shows one after the other. */
export function PageStrip({ edits, design, canEdit }: PageStripProps) {
  const { t } = useTranslation();
  const brand = useBrand();
  // Drawn after the large picture, so that typing does not wait for small pictures.
  const drawn = useDeferredValue(design);
  const isFull = design.pages.length >= MAX_PAGES;
  const { at } = edits;
  const freeId = () => {
    const taken = new Set(design.pages.map(({ id }) => id));
    let n = design.pages.length + 1;
    while (taken.has(`page-${n}`)) n++;
    return `page-${n}`;
  };
  const insert = (page: Design['pages'][number]) => {
    const id = freeId();
    edits.onDesign((d) => ({ ...d, pages: [...d.pages.slice(0, at + 1), { ...page, id }, ...d.pages.slice(at + 1)] }));
    edits.openPage(at + 1);
  };
  const remove = () => {
    edits.onDesign((d) => ({ ...d, pages: d.pages.filter((_, index) => index !== at) }));
    edits.openPage(Math.max(at - 1, 0));
  };
  return (
    <div className="page-strip">
      <ul aria-label={t('designer.pages')}>
        {design.pages.map((page, index) => (
          <li key={page.id}>
            <button
              type="button"
              aria-pressed={index === at}
              aria-label={t('designer.pageNo', { n: index + 1 })}
              onClick={() => edits.openPage(index)}
            >
              <DesignPreview design={drawn} page={index} size="landscape" brand={brand} label="" />
            </button>
          </li>
        ))}
      </ul>
      {canEdit && (
        <>
          <IconButton
            icon={Plus}
            label={t('designer.addPage')}
            isDisabled={isFull}
            onPress={() =>
              insert({
                ...{ id: '', background: edits.page.background, elements: [], layout: null, arrangements: {} },
                duration_ms: null,
              })
            }
          />
          <IconButton
            icon={Copy}
            label={t('designer.copyPage')}
            isDisabled={isFull}
            onPress={() => insert(edits.page)}
          />
          <IconButton
            icon={Trash2}
            label={t('designer.removePage')}
            isDisabled={design.pages.length === 1}
            onPress={remove}
          />
        </>
      )}
    </div>
  );
}
