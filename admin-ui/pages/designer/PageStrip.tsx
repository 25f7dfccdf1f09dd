import { ChevronLeft, ChevronRight, Copy, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Design, MAX_PAGES } from '../../../shared/design/design.ts';
import { useBrand } from '../../api/brand.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { useDrag } from '../../components/hooks/useDrag.ts';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';
import { freePageId, movedPage } from './edits.ts';
import type { DesignEdits } from './useDesignEdits.ts';

/** Milliseconds without a change after which the small pictures are drawn. */
const PAUSE_MS = 300;

type PageStripProps = { edits: DesignEdits; design: Design; canEdit: boolean };

/** Small pictures of all pages. A design with several pages shows one after the other, in this order. */
export function PageStrip({ edits, design, canEdit }: PageStripProps) {
  const { t } = useTranslation();
  const brand = useBrand();
  const list = useRef<HTMLUListElement>(null);
  const drag = useDrag();
  /** Position to which a dragged page goes when it is released. */
  const [target, setTarget] = useState<number>();
  // Drawn after a pause, so that typing and drags do not wait for small pictures.
  const settled = useDebounced(design, PAUSE_MS);
  const drawn = settled.pages.length === design.pages.length ? settled : design;
  const isFull = design.pages.length >= MAX_PAGES;
  const { at } = edits;
  const insert = (page: Design['pages'][number]) => {
    const id = freePageId(design);
    edits.onDesign((d) => ({ ...d, pages: [...d.pages.slice(0, at + 1), { ...page, id }, ...d.pages.slice(at + 1)] }));
    edits.openPage(at + 1);
  };
  const remove = () => {
    edits.onDesign((d) => ({ ...d, pages: d.pages.filter((_, index) => index !== at) }));
    edits.openPage(Math.max(at - 1, 0));
  };
  const move = (from: number, to: number) => {
    if (to === from || to < 0 || to >= design.pages.length) return;
    edits.onDesign((d) => movedPage(d, from, to));
    edits.openPage(to);
  };
  const positionAt = (clientX: number): number => {
    const middles = [...list.current!.children].map((child) => {
      const { x, width } = child.getBoundingClientRect();
      return x + width / 2;
    });
    const nearest = middles.map((x) => Math.abs(x - clientX));
    return nearest.indexOf(Math.min(...nearest));
  };
  return (
    <div className="page-strip">
      <ul aria-label={t('designer.pages')} ref={list}>
        {design.pages.map((page, index) => (
          <li key={page.id} className={target === index ? 'page-target' : undefined}>
            <button
              type="button"
              aria-pressed={index === at}
              aria-label={t('designer.pageNo', { n: index + 1 })}
              onClick={() => edits.openPage(index)}
              onPointerDown={(event) => {
                if (!canEdit || event.button !== 0 || design.pages.length === 1) return;
                let to = index;
                drag.press(event, {
                  move: ({ clientX }) => {
                    to = positionAt(clientX);
                    setTarget(to === index ? undefined : to);
                  },
                  done: () => {
                    setTarget(undefined);
                    move(index, to);
                  },
                  cancelled: () => setTarget(undefined),
                });
              }}
            >
              <DesignPreview design={drawn} page={index} size="landscape" brand={brand} label="" />
              <span className="page-number">{index + 1}</span>
            </button>
          </li>
        ))}
      </ul>
      {canEdit && (
        <div className="page-actions">
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
          {design.pages.length > 1 && (
            <>
              <IconButton
                icon={ChevronLeft}
                label={t('designer.pageLeft')}
                isDisabled={at === 0}
                onPress={() => move(at, at - 1)}
              />
              <IconButton
                icon={ChevronRight}
                label={t('designer.pageRight')}
                isDisabled={at === design.pages.length - 1}
                onPress={() => move(at, at + 1)}
              />
              <IconButton icon={Trash2} label={t('designer.removePage')} onPress={remove} />
            </>
          )}
        </div>
      )}
    </div>
  );
}
