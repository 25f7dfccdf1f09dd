import { resolve } from 'node:path';
import { configFrom } from '../config.ts';
import { addressOf } from '../upkeep/disk/address-file.ts';
import { isFolderInUse } from '../upkeep/disk/folder-lock.store.ts';
import { type Command, DATA_HELP, WrongUse } from './command.ts';
import { diagnose, type Look } from './doctor/check.ts';
import { https } from './doctor/https.ts';
import { machine } from './doctor/machine.ts';
import { network } from './doctor/network.ts';
import { backups, database, media } from './doctor/store-folder.ts';

const LOOKS: readonly Look[] = [machine, network, https, database, media, backups];

export const doctor: Command = {
  name: 'doctor',
  usage: 'doctor [--quick] [--port N] [--https-port N] [--data DIR] [--json]',
  summary: 'check this computer, its network, the database and the media, and show how to fix problems',
  help: `Changes nothing, and can run while the server runs. Exit code 3 when there is a problem.

  --quick      check that media exist, but do not read them
  --port N     the server's port (that of the running server, VITRINE_PORT, 8710)
  --https-port N  its port for HTTPS (VITRINE_HTTPS_PORT, the one after --port; 0 for none)
${DATA_HELP}`,
  options: { quick: 'flag', port: 'text', 'https-port': 'text' },
  takes: [0, 0],
  async run({ text, isSet, data: folder }, speech) {
    const data = resolve(folder);
    // Reads the same configuration as the server, but the port of a running server from its data folder.
    const inUse = isFolderInUse(data);
    const running = inUse ? addressOf(data) : undefined;
    const config = configFrom({
      port: text('port') ?? (running && (new URL(running).port || '80')),
      https_port: text('https-port'),
      data,
    });
    if (config.port === 0) throw new WrongUse('--port must be 1 to 65535');
    const { port, https_port: httpsPort, tls_cert: cert, tls_key: key } = config;
    const at = { data, port, inUse, httpsPort, given: cert && key ? { cert, key } : undefined, quick: isSet('quick') };
    return diagnose(
      LOOKS.map((look) => () => look(at)),
      speech,
    );
  },
};
