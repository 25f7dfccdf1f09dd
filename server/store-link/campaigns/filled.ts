/**
 * Inserts the values of this store into the placeholders of a campaign's widgets, or says why values are missing. Pure.
 */
import type { CampaignDoc } from '../../../shared/chain/campaign.ts';
import { fillWidget, type Trouble, type Values } from '../../../shared/chain/values.ts';

/** Returns documents of format version 1 unchanged, because they have no placeholders. */
export const filledDoc = (doc: CampaignDoc, values: Values): CampaignDoc =>
  doc.version === 1
    ? doc
    : { ...doc, widgets: doc.widgets.map((one) => ({ ...one, config: fillWidget(one, values).config })) };

const troublesOf = (doc: CampaignDoc, values: Values): Trouble[] =>
  doc.version === 1 ? [] : doc.widgets.flatMap((one) => [...fillWidget(one, values).troubles]);

/** Maximum number of names in one sentence. The window of headquarters lists all names. */
const MAX_NAMED = 5;

/** Returns why a campaign cannot be shown with these values; undefined: the campaign can be shown. */
export const whyNot = (doc: CampaignDoc, values: Values): string | undefined => {
  const troubles = troublesOf(doc, values);
  if (troubles.length === 0) return undefined;
  const lacking = [...new Set(troubles.flatMap((one) => (one.kind === 'lacks' ? one.name : [])))];
  if (lacking.length === 0)
    return 'The campaign puts values of this store into an address, which becomes too long. Shorten the values at headquarters.';
  const more = lacking.length > MAX_NAMED ? ', …' : '';
  return `The campaign needs values of this store that are missing at headquarters: ${lacking.slice(0, MAX_NAMED).join(', ')}${more}. Enter the values at headquarters, on the page of this store.`;
};
