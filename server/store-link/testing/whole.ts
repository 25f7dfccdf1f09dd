/** For tests: checks that a store has complete editions of campaigns, and no other records of headquarters. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { blobsOf, CampaignDoc, type CampaignPlaylist } from '../../../shared/chain/campaign.ts';

/** An edition of a campaign that a store shows. */
export interface Shown {
  readonly campaign: string;
  readonly sha256: string;
  readonly text: string;
  /** SHA-256 of the files of the edition that are recorded in the database. */
  readonly files: readonly string[];
}

const itemsOf = ({ items }: CampaignPlaylist): string[] => items.map(({ content_id }) => content_id ?? '');

/** Returns the applied editions by campaign. @throws AssertionError if the library does not match a complete edition */
export const wholeIn = (raw: BetterSqlite3.Database): Shown[] => {
  const rows = (sql: string) => raw.prepare(sql).all() as Record<string, unknown>[];
  const texts = rows('SELECT applied_doc FROM chain_campaigns WHERE applied_doc IS NOT NULL ORDER BY campaign').map(
    (row) => String(row['applied_doc']),
  );
  const docs = texts.map((text) => CampaignDoc.parse(JSON.parse(text)));
  const here = new Set(rows('SELECT sha256 FROM blobs').map((row) => String(row['sha256'])));
  const records = docs.flatMap(({ contents }) => contents);
  for (const row of rows('SELECT id, filename, sha256 FROM content')) {
    const isOne = records.some(
      ({ id, filename, file }) => id === row['id'] && filename === row['filename'] && file?.sha256 === row['sha256'],
    );
    assert.ok(isOne, `${String(row['id'])} is as an edition has it`);
    assert.ok(here.has(String(row['sha256'])), `the file of ${String(row['id'])} is here`);
  }
  const has = new Set(rows('SELECT id FROM content').map(({ id }) => id));
  const lists = new Map<string, string[]>();
  for (const { playlist_id, content_id } of rows(
    'SELECT playlist_id, content_id FROM published_items ORDER BY playlist_id, sort_order',
  ))
    lists.set(String(playlist_id), [...(lists.get(String(playlist_id)) ?? []), String(content_id)]);
  for (const { name, begins, playlists } of docs)
    for (const { id } of playlists) {
      const shown = lists.get(id) ?? [];
      const versions = docs.flatMap((doc) => doc.playlists.filter((one) => one.id === id)).map(itemsOf);
      const isWhole = versions.some((items) => items.join() === shown.join());
      if (begins === 'whole') assert.ok(isWhole, `${name} shows ${shown} of ${versions.join(' or ')}`);
      assert.ok(
        shown.every((content) => has.has(content)),
        'nothing is shown of which there is no record',
      );
    }
  const ids = docs.flatMap(({ playlists }) => playlists.map(({ id }) => id));
  const kept = rows('SELECT id FROM playlists').map(({ id }) => id);
  assert.deepEqual(kept.toSorted(), [...new Set(ids)].toSorted(), 'and nothing of others');
  const plans = rows('SELECT campaign, edition, start_time FROM campaign_plans ORDER BY campaign');
  assert.deepEqual(
    plans,
    docs
      .map(({ id, edition, start_time }) => ({ campaign: id, edition, start_time }))
      .toSorted((a, b) => (a.campaign < b.campaign ? -1 : 1)),
  );
  return docs.map((doc, i) => ({
    campaign: doc.id,
    sha256: createHash('sha256').update(texts[i]!).digest('hex'),
    text: texts[i]!,
    files: blobsOf(doc).flatMap(({ sha256 }) => (here.has(sha256) ? [sha256] : [])),
  }));
};
