import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Content } from '../../../shared/contract/content/content.ts';
import { must } from '../../../test/people.ts';
import { mp4 } from '../../../test/sample-media.ts';
import { openShops } from '../../../test/shop.ts';
import { until } from '../../../test/uploads.ts';
import { Bus } from '../../kernel/bus.ts';
import { MediaProcess } from '../../media/media-process.ts';
import { MediaStore } from '../../media/media-store.ts';
import { ContentStore } from './content.store.ts';
import { FormatReader } from './format-reader.ts';

const shops = openShops();

test('the reader fills in codecs of files stored without codecs, at the start and when such a file is added', async (t) => {
  const shop = await shops.open(t);
  const { app, data } = shop.site;
  const film = must(await shop.upload(await mp4(), 'film.mp4'), 201);
  const image = await shop.image();
  const video = await shop.video(2);
  const forget = () => app.db.write(() => app.db.raw.exec('UPDATE blobs SET format = NULL'));
  forget();
  const looked: string[] = [];
  const inspector = new MediaProcess();
  const errors: unknown[] = [];
  const media = new MediaStore(join(data, 'media'));
  const bus = new Bus((_event, error) => errors.push(error));
  const reader = new FormatReader({
    db: app.db,
    bus,
    store: new ContentStore(app.db),
    media,
    inspector: {
      inspect: (path, size) => {
        looked.push(path.slice(-64));
        // Simulates a damaged file.
        return path.endsWith(unreadable) ? Promise.reject(new Error('damaged')) : inspector.inspect(path, size);
      },
    },
    onError: (error) => errors.push(error),
    laterMs: 1,
    pauseMs: 1,
  });
  const one = (id: string): Promise<Content> => shop.get(`/api/content/${id}`);
  const unreadable = (await one(video)).sha256!;
  inspector.start();
  reader.start();
  t.after(async () => {
    await reader.stop();
    inspector.stop();
  });
  const read = () =>
    until(
      () => one(film.id),
      ({ format }) => format !== null,
    );
  assert.deepEqual((await read()).format, film.format);
  assert.equal((await one(image)).format, null);
  await until(
    async () => looked,
    (files) => files.includes(unreadable),
  );
  forget();
  bus.emit('changed', { workspaceId: film.workspace_id, topic: 'content' });
  assert.deepEqual((await read()).format, film.format);
  assert.equal(looked.filter((hash) => hash === unreadable).length, 1, 'an unreadable file is read once');
  assert.deepEqual(errors, []);
});
