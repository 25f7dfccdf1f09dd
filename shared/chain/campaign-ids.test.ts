import assert from 'node:assert/strict';
import { test } from 'node:test';
import { campaignOf, idInCampaign } from './campaign-ids.ts';

const campaign = '0199aaaa-0000-7000-8000-000000000001';
const own = '0199bbbb-0000-7000-8000-000000000002';
const none = { playlist_id: null, zone_id: null };

test('campaignOf returns the campaign of the playlist, or the campaign of the zone if there is no playlist', () => {
  const [playlist, zone] = [idInCampaign(campaign, 'playlist'), idInCampaign(campaign, 'zone-0')];
  assert.equal(campaignOf({ ...none, playlist_id: playlist }), campaign);
  assert.equal(campaignOf({ ...none, zone_id: zone }), campaign);
  assert.equal(campaignOf({ playlist_id: playlist, zone_id: own }), campaign);
  assert.equal(campaignOf({ playlist_id: own, zone_id: zone }), undefined);
  for (const id of [null, '', own, `${own}-`, `${own.slice(0, 35)}--playlist`, `${own.toUpperCase()}-playlist`])
    assert.equal(campaignOf({ ...none, playlist_id: id }), undefined, `${id}`);
});
