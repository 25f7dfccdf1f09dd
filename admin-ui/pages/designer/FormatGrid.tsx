import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Design } from '../../../shared/design/design.ts';
import { FORMAT_SIZES, PAGE_FORMATS, type PageFormat } from '../../../shared/design/page-formats.ts';
import { useBrand } from '../../api/brand.ts';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';

type FormatGridProps = { design: Design; page: number; onOpen: (format: PageFormat) => void };

/** The page in all formats side by side. A click opens a format. */
export function FormatGrid({ design, page, onOpen }: FormatGridProps) {
  const { t } = useTranslation();
  const brand = useBrand();
  return (
    <ul className="format-grid canvas-room" aria-label={t('designer.allFormats')}>
      {PAGE_FORMATS.map((format) => {
        const { width, height } = FORMAT_SIZES[format];
        return (
          <li key={format} style={{ '--aspect': width / height } as CSSProperties}>
            <button type="button" onClick={() => onOpen(format)}>
              <DesignPreview design={design} page={page} size={format} brand={brand} label="" />
              <span>{t(`designer.formats.${format}`)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
