import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configFrom } from '../../config.ts';
import { inspectDatabase, newestSchema } from '../../db/open.ts';
import { addressOf, storeAddressesOf } from '../../upkeep/disk/address-file.ts';
import { isFolderInUse } from '../../upkeep/disk/folder-lock.store.ts';
import { type Command, WrongUse } from '../command.ts';
import { type At, type Check, checkOf, diagnose } from '../doctor/check.ts';
import { https } from '../doctor/https.ts';
import { machine } from '../doctor/machine.ts';
import { serverOn } from '../doctor/network.ts';
import { doors } from '../hq-doctor/doors.ts';
import { hub } from '../hq-doctor/hub.ts';
import { plays } from '../hq-doctor/plays.ts';
import { postgresAt } from '../hq-doctor/plays-in.ts';
import { stores } from '../hq-doctor/stores.ts';

/**
 * Time limit per check in milliseconds, for a disk or network that hangs. Checks finish earlier even on a slow machine.
 */
const LIMIT_MS = 30_000;
const FLUSHED_MS = 1_000;

export const hqDoctor: Command = {
  name: 'doctor',
  usage:
    'hq doctor [--postgres URL] [--nats ADDRESS] [--allow-old-nats] [--port N] [--https-port N] [--data DIR] [--json]',
  summary: 'check the headquarters of a chain, its database and its hub, and show how to fix problems',
  help: `Changes nothing, and can run while headquarters runs. Run it as the server's user. Exit code 3 when there is a problem.
To check media, backups and the whole database, use "vitrine doctor".

  --postgres URL    the database of plays (VITRINE_POSTGRES), if it is PostgreSQL
  --nats ADDRESS    the hub (VITRINE_NATS, that of nats/nats.conf in the data folder, on this computer)
  --allow-old-nats  only warn about a nats-server with known faults
  --port N          headquarters' port (that of the running one, VITRINE_PORT, 8710)
  --https-port N    its port for HTTPS (VITRINE_HTTPS_PORT, the one after --port)
`,
  options: { postgres: 'text', nats: 'text', 'allow-old-nats': 'flag', port: 'text', 'https-port': 'text' },
  takes: [1, 1],
  async run({ text, isSet, data: folder }, speech) {
    const data = resolve(folder);
    const inUse = isFolderInUse(data);
    const running = inUse ? addressOf(data) : undefined;
    const config = configFrom({
      port: text('port') ?? (running && (new URL(running).port || '80')),
      https_port: text('https-port'),
      nats: text('nats'),
      postgres: text('postgres'),
      chain_role: 'hq',
      data,
    });
    if (config.port === 0) throw new WrongUse('--port must be 1 to 65535');
    const {
      port,
      https_port: httpsPort,
      tls_cert: cert,
      tls_key: key,
      nats: server,
      postgres: url,
      host,
      names,
    } = config;
    const at: At = { data, port, inUse, httpsPort, given: cert && key ? { cert, key } : undefined, quick: true };
    const late: Check['area'][] = [];
    const within = (area: Check['area'], look: Look) => () => limited(area, look, late);
    const hasDatabase = existsSync(join(data, 'vitrine.db'));
    const ending = await diagnose(
      [
        within('machine', () => machine(at)),
        within('network', async () => [state(at), await serverOn(at)]),
        within('https', () => https(at)),
        within('https', () => doors({ ...at, host, names, given: text('https-port') ? [] : storeAddressesOf(data) })),
        within('database', () => database(at)),
        within('nats', () => hub({ ...at, server, allowOld: isSet('allow-old-nats') })),
        within('postgres', () => postgresAt(at, url)),
        ...(hasDatabase ? [within('plays', () => plays(at, url)), within('stores', () => stores(at))] : []),
      ],
      speech,
    );
    // Ends the process, because a check that hangs would keep it alive.
    if (late.length > 0) setTimeout(() => process.exit(ending.exit), FLUSHED_MS).unref();
    return ending;
  },
};

type Look = () => Check[] | Promise<Check[]>;

/** Runs a check with a time limit, so that a check that hangs or throws does not stop the other checks. */
const limited = async (area: Check['area'], look: Look, late: Check['area'][]): Promise<Check[]> => {
  const check = checkOf(area);
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<Check[]>((done) => {
    timer = setTimeout(() => {
      late.push(area);
      done([
        check('bad', `This took longer than ${LIMIT_MS / 1000} s and was given up. Does a disk or a network hang?`),
      ]);
    }, LIMIT_MS);
  });
  try {
    return await Promise.race([hangs, Promise.resolve().then(look)]);
  } catch (error) {
    return [check('bad', `This could not be looked at: ${(error as Error).message}`)];
  } finally {
    clearTimeout(timer);
  }
};

const state = ({ data, inUse }: At): Check =>
  checkOf('network')('ok', inUse ? `Headquarters is running with ${data}` : `Headquarters is stopped (${data})`);

const database = ({ data }: At): Check[] => {
  const check = checkOf('database');
  const file = join(data, 'vitrine.db');
  if (!existsSync(file)) return [check('ok', 'There is no database yet; the first start of headquarters makes it.')];
  const { schema } = inspectDatabase(file);
  if (schema > newestSchema())
    return [
      check(
        'bad',
        `${file} was written by a newer version of Vitrine. Start that version, or restore a backup made by this one.`,
      ),
    ];
  if (schema < newestSchema())
    return [
      check(
        'warn',
        `${file} is of an older version of Vitrine; headquarters brings it up to date when it starts with this one.`,
      ),
    ];
  return [check('ok', 'The database can be read, and is of this version')];
};
