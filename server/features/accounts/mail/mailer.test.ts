import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { Mailer } from './mailer.ts';

const MAIL = { to: 'a@store.test', subject: 'S', text: 'T' };

const startPost = async (t: TestContext, failures: number) => {
  const state = { failures, received: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => {
        if (state.failures-- > 0) return done(Object.assign(new Error('busy'), { responseCode: 451 }));
        state.received++;
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => new Promise<void>((done) => server.close(done)));
  return { state, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
};

const makeMailer = (t: TestContext, url: string | undefined) => {
  const warnings: string[] = [];
  const pauses: number[] = [];
  const target = url === undefined ? undefined : { server: url, from: 'store@store.test' };
  const mailer = new Mailer({
    target: () => target,
    log: { warn: (message) => warnings.push(message) },
    pause: async (ms) => void pauses.push(ms),
  });
  t.after(() => mailer.stop());
  return { mailer, warnings, pauses };
};

test('an e-mail that is temporarily refused is retried after 2 and 30 seconds', async (t) => {
  const post = await startPost(t, 2);
  const { mailer, warnings, pauses } = makeMailer(t, post.url);
  mailer.send(MAIL);
  await mailer.idle();
  assert.deepEqual([post.state.received, pauses, warnings], [1, [2_000, 30_000], []]);
});

test('e-mail is dropped after three failures with one line in the log, and the next e-mail is sent', async (t) => {
  const post = await startPost(t, 3);
  const { mailer, warnings } = makeMailer(t, post.url);
  mailer.send(MAIL);
  mailer.send(MAIL);
  await mailer.idle();
  assert.deepEqual([post.state.received, warnings], [1, ['A mail could not be sent']]);
});

test('an unreachable mail server causes no exception', async (t) => {
  const { mailer, warnings } = makeMailer(t, 'smtp://127.0.0.1:1');
  mailer.send(MAIL);
  await mailer.idle();
  assert.equal(warnings.length, 1);
});

test('without a transport nothing is sent and `configured` is false', async (t) => {
  const { mailer } = makeMailer(t, undefined);
  assert.equal(mailer.configured, false);
  mailer.send(MAIL);
  await mailer.idle();
});
