import {
  cancelConversion,
  getConversion,
  getOriginal,
  restoreOriginal,
  startConversion,
} from '../../../shared/contract/content/conversion.ts';
import { type Bound, bind, withTag } from '../../http/api.ts';
import { sendBlob } from '../../http/send-file.ts';
import type { ContentService } from './content.service.ts';
import type { Conversions } from './conversions.ts';

export const conversionRoutes = (
  conversions: Conversions,
  content: Pick<ContentService, 'restoreOriginal' | 'originalFile'>,
): Bound[] => [
  bind(getConversion, ({ actor, params }) => conversions.state(actor, params.id)),
  bind(startConversion, ({ actor, params, ifMatch, stillMay }) =>
    conversions.begin(actor, params.id, { ifMatch, stillMay }),
  ),
  bind(cancelConversion, ({ actor, params }) => conversions.cancel(actor, params.id)),
  bind(restoreOriginal, async ({ actor, params, ifMatch, stillMay }) =>
    withTag(await content.restoreOriginal(actor, params.id, { ifMatch, stillMay })),
  ),
  bind(
    getOriginal,
    ({ actor, params, req, res }) => sendBlob(req, res, content.originalFile(actor, params.id)) as Promise<undefined>,
  ),
];
