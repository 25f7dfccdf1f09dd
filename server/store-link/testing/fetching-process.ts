/**
 * A process that fetches one file, for tests that kill this process during the download. Arguments: `<met as JSON>
 * <folder> <sha256> <bytes>`.
 */
import { MediaStore } from '../../media/media-store.ts';
import { Fetcher } from '../campaigns/fetcher.ts';
import { Pace } from '../campaigns/pace.ts';
import { PartialFiles } from '../campaigns/partial-files.ts';
import { HttpsConnection } from '../connection/https-connection.ts';
import { pause } from '../connection/pause.ts';

const [met = '', folder = '', sha256 = '', bytes = ''] = process.argv.slice(2);
const media = new MediaStore(`${folder}/media`);
media.start();
let isHere = false;
new Fetcher({
  db: { durable: () => undefined } as never,
  clock: { now: () => Date.now() },
  mono: () => performance.now(),
  log: { debug() {}, info() {}, warn() {}, error() {} },
  connection: new HttpsConnection({ met: JSON.parse(met), store: 's', sign: () => '0'.repeat(128), moved: () => {} }),
  desired: {
    missing: () =>
      isHere ? [] : [{ what: 'file', campaign: 'c', file: { sha256, size: Number(bytes), mime: 'video/mp4' } }],
    documentCame: () => {},
    fileCame: () => {
      isHere = true;
      process.stdout.write('here\n', () => process.exit(0));
    },
    refuse: () => {},
    addIncident: () => {},
  },
  media,
  parts: new PartialFiles(`${folder}/chain/parts/w`),
  limits: { fetch_rate: null, fetch_hours: [] },
  pace: new Pace(() => performance.now()),
  timezone: () => 'UTC',
  pause,
  random: Math.random,
}).start();
setInterval(() => {}, 1_000);
