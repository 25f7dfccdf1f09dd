import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, configFrom, parseCommandLine } from './config.ts';

const httpsPort = (...args: string[]) => {
  const command = parseCommandLine(args, {});
  return command.kind === 'serve' ? command.config.https_port : undefined;
};

test('HTTPS has the port after that of HTTP, one that was chosen, or none', () => {
  assert.equal(httpsPort(), 8711);
  assert.equal(httpsPort('--port', '9000'), 9001);
  assert.equal(httpsPort('--port', '0'), null, 'where HTTP takes any free port nobody could guess another');
  assert.equal(httpsPort('--port', '65535'), null);
  assert.equal(httpsPort('--https-port', '443'), 443);
  assert.equal(httpsPort('--https-port', '0'), null);
  assert.equal(httpsPort('--no-https', '--https-port', '443'), null);
  assert.equal(configFrom({}, { VITRINE_HTTPS_PORT: '8443' }).https_port, 8443);
  assert.equal(configFrom({}, { VITRINE_HTTPS: '0' }).https_port, null);
});

test('what is wrong with the options of HTTPS is named', () => {
  assert.throws(() => httpsPort('--https-port', '8710'), /--https-port must be another than --port/);
  assert.throws(() => httpsPort('--https-port', 'x'), /--https-port: must be a number/);
  assert.throws(() => httpsPort('--tls-cert', 'shop.crt'), ConfigError);
});
