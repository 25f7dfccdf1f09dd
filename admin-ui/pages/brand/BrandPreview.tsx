import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Brand } from '../../../shared/design/brand.ts';
import type { PageFormat } from '../../../shared/design/page-formats.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import type { TemplateStyle } from '../../../shared/design/templates/template.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';

const SAMPLES = [
  { task: 'offer', style: 'bold', size: 'landscape' },
  { task: 'menu', style: 'calm', size: 'portrait' },
  { task: 'welcome', style: 'playful', size: 'square' },
] as const satisfies readonly { task: string; style: TemplateStyle; size: PageFormat }[];

/** Three templates with the brand, as screens would show them. */
export function BrandPreview({ brand }: { brand: Brand }) {
  const { t, i18n } = useTranslation();
  const day = new Date(useNow()).toISOString().slice(0, 10);
  const { language } = i18n;
  const designs = useMemo(
    () =>
      SAMPLES.flatMap(({ task, style, size }) => {
        const design = templateDesign(task, style, { language, currency: 'EUR', until: `${day}T20:00` });
        return design ? [{ design, size }] : [];
      }),
    [language, day],
  );
  return (
    <section className="brand-preview" aria-label={t('brand.preview')}>
      {designs.map(({ design, size }) => (
        <div key={size} className={`brand-shown ${size}`}>
          <DesignPreview design={design} size={size} brand={brand} label={t(`brand.samples.${size}`)} />
        </div>
      ))}
    </section>
  );
}
