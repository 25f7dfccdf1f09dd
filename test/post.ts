/** A mail server on loopback, and a webhook receiver. Both collect the decoded messages that they receive. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Ending } from './harness.ts';

export interface Received {
  readonly to: string;
  readonly subject: string;
  /** For a mail with attachments, the whole source text of the mail. */
  readonly text: string;
}

const quoted = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
const subjectOf = (head: string): string =>
  (/^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(head)?.[1] ?? '')
    .replace(/\r?\n[ \t]/g, ' ')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, words: string) =>
      (how.toUpperCase() === 'B' ? Buffer.from(words, 'base64') : quoted(words.replaceAll('_', ' '))).toString(
        'latin1',
      ),
    );
const mailOf = (raw: string): Pick<Received, 'subject' | 'text'> => {
  const at = raw.search(/\r?\n\r?\n/);
  const [head, body] = [raw.slice(0, at), raw.slice(at).trimStart()];
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1]?.toLowerCase();
  const text = encoding === 'base64' ? Buffer.from(body, 'base64') : quoted(body);
  return { subject: Buffer.from(subjectOf(head), 'latin1').toString(), text: text.toString().replaceAll('\r\n', '\n') };
};

/** `state.refuse`: number of mails that are answered with 451 before a mail is accepted. */
export const startPost = async (t: Ending) => {
  const mails: Received[] = [];
  const state = { refuse: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (state.refuse-- > 0) return done(Object.assign(new Error('busy'), { responseCode: 451 }));
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        mails.push({ to, ...mailOf(Buffer.concat(chunks).toString('latin1')) });
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => new Promise<void>((done) => server.close(done)));
  return { mails, state, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
};

export const startHook = async (t: Ending) => {
  const calls: any[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text: string) => (body += text));
    req.on('end', () => {
      calls.push(JSON.parse(body));
      res.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
};
