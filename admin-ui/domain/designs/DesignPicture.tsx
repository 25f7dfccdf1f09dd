import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PageFormat, Size } from '../../../shared/design/page-formats.ts';
import { useBrand } from '../../api/brand.ts';
import { contentQuery } from '../../api/files/content.ts';
import { designQuery } from '../../api/files/designs.ts';
import { DesignPreview } from './DesignPreview.tsx';

type DesignPictureProps = {
  /** Id of the content. */
  id: string;
  size: PageFormat | Size;
  label: string;
  /** Shown while the document loads, and if it cannot be loaded. */
  instead: ReactNode;
};

/** The drawing of a design of the library. */
export function DesignPicture({ id, size, label, instead }: DesignPictureProps) {
  const brand = useBrand();
  const sha256 = useQuery(contentQuery(id)).data?.content.sha256 ?? null;
  const design = useQuery({ ...designQuery(id, sha256 ?? ''), enabled: sha256 !== null }).data;
  return design ? <DesignPreview design={design} size={size} brand={brand} label={label} /> : instead;
}
