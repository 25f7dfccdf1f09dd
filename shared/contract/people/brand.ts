/** The brand of a workspace: what its designs look like (shared/design/brand.ts). */
import { z } from 'zod';
import { BRAND_FONTS, Brand } from '../../design/brand.ts';
import { COLOR_ROLES } from '../../design/fills.ts';
import { nothing } from '../acts.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { between, Color, Ref, textOf } from '../fields.ts';

const endpoint = endpointsOf('Workspaces');

/** Longest name of a brand. A longer text would not fit beside other elements. */
export const MAX_BRAND_NAME = 120;
const MAX_RADIUS = 120;

export const WorkspaceBrand = z.object({
  ...Brand.shape,
  /** Name that designs and reports show: `name`, or the name of the workspace. */
  display_name: z.string(),
  /** Colour of each role, computed from the brand. Text roles have a contrast of at least 4.5 on their area. */
  palette: z.object(
    Object.fromEntries(COLOR_ROLES.map((role) => [role, z.string()])) as Record<
      (typeof COLOR_ROLES)[number],
      z.ZodString
    >,
  ),
});
export type WorkspaceBrand = z.infer<typeof WorkspaceBrand>;

const Font = z.enum(BRAND_FONTS);
const YesNo = z.boolean('must be true or false');

export const BrandChange = z
  .object({
    name: textOf(MAX_BRAND_NAME).transform((name) => name.trim()),
    paper: Color,
    primary: Color,
    accent: Color,
    second: Color.nullable(),
    heading_font: Font,
    body_font: Font,
    radius: between(0, MAX_RADIUS),
    tone: z.enum(['light', 'dark']),
    logo_content_id: Ref,
    logo_dark_content_id: Ref,
    reduced_motion: YesNo,
  })
  .partial();
export type BrandChange = z.infer<typeof BrandChange>;

export const getBrand = endpoint('GET /api/workspaces/{id}/brand', {
  name: 'getBrand',
  summary: 'The brand of a workspace: name, logos, colours and fonts of its designs',
  description: 'For its members. A workspace without a brand has the default brand.',
  access: session('user'),
  acts: nothing,
  response: WorkspaceBrand,
});
export const updateBrand = endpoint('PUT /api/workspaces/{id}/brand', {
  name: 'updateBrand',
  summary: 'Change the brand of a workspace, on its screens at once',
  description: `For its administrators. What is absent stays as it is. Colours are like \`#0F3D3E\`; no pair of them is refused, because the colours of texts are computed (\`palette\`). \`second\` null: derived from \`primary\`. Fonts: ${BRAND_FONTS.join(', ')}. \`logo_content_id\` (also the picture on reports, as in PUT /api/workspaces/{id}) and \`logo_dark_content_id\` (for dark backgrounds; null: the same logo) are pictures of the workspace (404 when it has no such content, 400 when it is no picture). \`radius\`: 0 to ${MAX_RADIUS}, in pixels of a picture of 1920 × 1080.`,
  access: session('user'),
  acts: nothing,
  shows: nothing,
  body: BrandChange,
  response: WorkspaceBrand,
});
