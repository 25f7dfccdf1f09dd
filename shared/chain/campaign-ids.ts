/**
 * Ids of a campaign’s playlists, layouts and zones in stores: each begins with the id of the campaign, so that a play
 * identifies its campaign.
 */

/** Number of characters of a campaign id. */
export const CAMPAIGN_ID_LENGTH = 36;
const OF_CAMPAIGN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-./;

/** @param what kind and number of the part */
export const idInCampaign = (campaign: string, what: string): string => `${campaign}-${what}`;

/**
 * Returns the campaign of a play: the campaign of its playlist, also for items that a store put into a slot of that
 * playlist. Without a playlist, returns the campaign of its zone.
 */
export const campaignOf = ({
  playlist_id,
  zone_id,
}: {
  readonly playlist_id: string | null;
  readonly zone_id: string | null;
}): string | undefined => {
  const id = playlist_id ?? zone_id;
  return id !== null && id.length > CAMPAIGN_ID_LENGTH && OF_CAMPAIGN.test(id)
    ? id.slice(0, CAMPAIGN_ID_LENGTH)
    : undefined;
};
