import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import type { Design } from '../../../shared/design/design.ts';
import { useBrand } from '../../api/brand.ts';
import { DesignPreview } from './DesignPreview.tsx';
import './FillFields.css';
import type { NewPictures } from './newPictures.ts';

const SHAPES = ['landscape', 'portrait'] as const;

/** A design on a landscape and on a portrait screen, while it is being filled. */
export function TwoPreviews({ design, pictures }: { design: Design; pictures: NewPictures }) {
  const { t } = useTranslation();
  const brand = useBrand();
  // Typing comes before drawing.
  const drawn = useDeferredValue(design);
  return (
    <div className="two-previews">
      {SHAPES.map((shape) => (
        <div key={shape} className="preview-screen">
          <DesignPreview
            design={drawn}
            size={shape}
            brand={brand}
            label={t('templates.previewIn', { format: t(`designer.formats.${shape}`) })}
            resolve={pictures}
          />
        </div>
      ))}
    </div>
  );
}
