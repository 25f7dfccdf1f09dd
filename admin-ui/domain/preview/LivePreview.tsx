import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { client } from '../../api/requests/client.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { PreviewFrame } from './PreviewFrame.tsx';
import type { Size } from './Scaled.tsx';

type SizeName = 'landscape' | 'portrait' | 'quarter' | 'strip' | 'tablet';

type LivePreviewProps<S extends SizeName> = {
  sizes: Readonly<Record<S, Size>>;
  first: NoInfer<S>;
  /** Endpoint that renders the page of `draft`. */
  endpoint: Endpoint;
  draft: object;
  /** Endpoint of the empty page in which the draft is shown. */
  frame: Endpoint;
  note: 'preview.note' | 'preview.touchNote';
  /** Draws another preview in place of the page. */
  instead?: ((size: Size) => ReactNode) | undefined;
};

/** Previews a draft for screens of different sizes. */
export function LivePreview<S extends SizeName>({
  sizes,
  first,
  endpoint,
  draft,
  frame,
  note,
  instead,
}: LivePreviewProps<S>) {
  const { t } = useTranslation();
  const [name, setName] = useState<S>(first);
  const preview = usePreview(endpoint, draft);
  const problem = preview.error ? describeProblem(preview.error, t) : undefined;
  const size: Size = sizes[name];
  const title = t('common.preview');
  return (
    <section className="live-preview" aria-label={title}>
      <div className="preview-bar">
        <Segments
          label={t('preview.size')}
          value={name}
          onChange={setName}
          options={(Object.keys(sizes) as S[]).map((value) => ({
            value,
            label: t(`preview.sizes.${value as SizeName}`),
          }))}
        />
      </div>
      {instead ? (
        instead(size)
      ) : (
        <PreviewFrame title={title} frame={frame} html={preview.html} size={size} isBusy={preview.isBusy} />
      )}
      {problem && (
        <Notice tone="bad" title={problem.text}>
          {problem.detail}
        </Notice>
      )}
      <p className="preview-note">{t(note, size)}</p>
    </section>
  );
}

/**
 * Milliseconds without a change before the preview is fetched. Short enough to feel live. Even with slow typing, the
 * requests stay below the server's limit per minute.
 */
const TYPING_MS = 450;

/**
 * Returns the server's page of a draft. If the server refuses the draft, `error` is set and the last good page stays.
 */
export const usePreview = (endpoint: Endpoint, body: object) => {
  const wanted = JSON.stringify(body);
  const text = useDebounced(wanted, TYPING_MS);
  const query = useQuery({
    queryKey: ['preview', endpoint.path, text],
    queryFn: async ({ signal }) => {
      const response = await fetch(client.url(endpoint), {
        method: 'POST',
        headers: { ...client.headers(), 'Content-Type': 'application/json' },
        body: text,
        signal,
      });
      if (response.ok) return response.text();
      const { error } = (await response.json().catch(() => ({}))) as { error?: string };
      throw new ApiError(response.status, error ?? `The server answered with the status ${response.status}`, {
        retryAfter: Number(response.headers.get('Retry-After') ?? 10),
      });
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: (count, error) => error instanceof ApiError && error.status === 429 && count < 3,
    retryDelay: (_, error) => (error instanceof ApiError ? (error.retryAfter ?? 10) : 10) * 1000,
  });
  return { html: query.data, isBusy: query.isFetching || wanted !== text, error: query.error };
};
