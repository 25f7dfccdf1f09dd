/** Views: saved settings of the list of screens. An addition to the contract. Each person has separate views. */
import { z } from 'zod';
import { nothing } from '../acts.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { Epoch, nameOf } from '../fields.ts';

const endpoint = endpointsOf('Views');

/** Maximum number of views of one person in a workspace. */
export const MAX_VIEWS = 50;

/** Query parameters of the page's address, as text. */
const ViewQuery = z.record(
  z.string().regex(/^[a-z_]{1,30}$/, 'must be names of letters and underscores, like status'),
  z.string().max(300),
);

export const View = z.object({
  id: z.string(),
  name: z.string(),
  query: z.record(z.string(), z.string()),
  created_at: Epoch,
});
export type View = z.infer<typeof View>;

export const listViews = endpoint('GET /api/views', {
  name: 'listViews',
  summary: 'Your own views of the screens of the current workspace, by name',
  access: session('user'),
  acts: nothing,
  response: z.array(View),
});

const query = ViewQuery.refine((members) => Object.keys(members).length <= 20, 'must be at most 20 members');

export const createView = endpoint('POST /api/views', {
  name: 'createView',
  summary: 'Keep a view of the screens under a name',
  description: `\`query\` holds what the page’s address says: filters, order, kind of list. One of the same name is replaced. At most ${MAX_VIEWS}.`,
  access: session('user'),
  acts: nothing,
  shows: nothing,
  body: z.object({
    name: nameOf(80),
    query,
  }),
  status: 201,
  response: View,
});

export const updateView = endpoint('PUT /api/views/{id}', {
  name: 'updateView',
  summary: 'Rename one of your views, or let it hold something else',
  description: '409 when another of yours has the name.',
  access: session('user'),
  acts: nothing,
  shows: nothing,
  body: z.object({ name: nameOf(80), query }).partial(),
  response: View,
  errors: [409],
});

export const deleteView = endpoint('DELETE /api/views/{id}', {
  name: 'deleteView',
  summary: 'Forget one of your views',
  access: session('user'),
  acts: nothing,
  shows: nothing,
});
