import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Brand } from '../../../shared/design/brand.ts';
import type { PageFormat } from '../../../shared/design/page-formats.ts';
import { contentPageQuery } from '../../api/files/content.ts';
import { designQuery } from '../../api/files/designs.ts';
import { Section } from '../../components/frame/Page.tsx';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';

/**
 * Number of designs that are searched for templates, the newest first. The list of contents does not tell which designs
 * are templates, so their documents of about 10 kB are fetched.
 */
const SEARCHED = 40;
const NEWEST = { type: 'design' } as const;

type OwnTemplatesProps = { typed: string; shape: PageFormat; brand: Brand };

/** Designs of the workspace that are marked as templates. */
export function OwnTemplates({ typed, shape, brand }: OwnTemplatesProps) {
  const { t } = useTranslation();
  const list = useQuery(contentPageQuery(NEWEST, 0)).data;
  const designs = (list?.rows ?? []).flatMap(({ id, sha256, filename }) =>
    sha256 === null ? [] : [{ id, sha256, filename }],
  );
  const documents = useQueries({
    queries: designs.slice(0, SEARCHED).map(({ id, sha256 }) => designQuery(id, sha256)),
  });
  const word = typed.trim().toLowerCase();
  const templates = documents.flatMap(({ data }, i) => {
    const { id, filename } = designs[i]!;
    return data?.template && filename.toLowerCase().includes(word) ? [{ id, filename, design: data }] : [];
  });
  if (templates.length === 0) return null;
  return (
    <Section title={t('templates.ownTitle')}>
      <ul className={`design-template-grid ${shape}`}>
        {templates.map(({ id, filename, design }) => (
          <li key={id}>
            <Link
              to="/content/new-design"
              search={({ q: _, ...now }) => ({ ...now, of: id })}
              className="template-card"
            >
              <DesignPreview design={design} size={shape} brand={brand} label="" />
              <span className="truncate">{filename}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
