import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { Segments } from '../components/Choices.tsx';
import { Notice } from '../components/Page.tsx';
import { describeProblem } from '../data/useProblem.ts';
import { PreviewFrame } from './PreviewFrame.tsx';
import type { Size } from './Scaled.tsx';
import { usePreview } from './usePreview.ts';

type SizeName = 'landscape' | 'portrait' | 'quarter' | 'strip' | 'tablet';

type LivePreviewProps<S extends SizeName> = {
  sizes: Readonly<Record<S, Size>>;
  first: NoInfer<S>;
  /** Makes the page of `draft`. */
  endpoint: Endpoint;
  draft: object;
  /** The empty page that it is shown in. */
  frame: Endpoint;
  note: 'preview.note' | 'preview.touchNote';
  /** In place of that page, where the draft is something else. */
  instead?: ((size: Size) => ReactNode) | undefined;
};

/** What a screen of one size or another would make of a draft. */
export function LivePreview<S extends SizeName>({ sizes, first, endpoint, draft, frame, note, instead }: LivePreviewProps<S>) {
  const { t } = useTranslation();
  const [name, setName] = useState<S>(first);
  const preview = usePreview(endpoint, draft);
  const problem = preview.error ? describeProblem(preview.error, t) : undefined;
  const size: Size = sizes[name];
  const title = t('preview.title');
  return (
    <section className="live-preview" aria-label={title}>
      <div className="preview-bar">
        <Segments
          label={t('preview.size')}
          value={name}
          onChange={setName}
          options={(Object.keys(sizes) as S[]).map((value) => ({ value, label: t(`preview.sizes.${value as SizeName}`) }))}
        />
      </div>
      {instead ? instead(size) : <PreviewFrame title={title} frame={frame} html={preview.html} size={size} isBusy={preview.isBusy} />}
      {problem && (
        <Notice tone="bad" title={problem.text}>
          {problem.detail}
        </Notice>
      )}
      <p className="preview-note">{t(note, size)}</p>
    </section>
  );
}
