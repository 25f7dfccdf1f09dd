import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../../db/open.ts';
import { KnownSubjectsStore } from '../known-subjects.store.ts';
import { ReportNamesStore } from '../report-names.store.ts';
import { ReportThreads } from '../report-threads.ts';
import { ReportsService } from '../reports.service.ts';
import { openReader } from '../testing/open-reader.ts';
import { addDevice, addWorkspace, playAt, takeIn } from '../testing/plays.ts';
import { MonthlyReports } from './monthly-reports.ts';
import { SavedReportsStore } from './saved-reports.store.ts';

const ZONE = 'Europe/Berlin';
const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface Sent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: { readonly filename: string; readonly content: Buffer }[];
}

const open = async (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-monthly-'));
  const db = openDatabase(join(folder, 'a.db'));
  const threads = new ReportThreads({ file: db.file });
  t.after(async () => {
    await threads.stop();
    db.close();
    rmSync(folder, { recursive: true });
  });
  let now = Date.UTC(2026, 9, 20, 12);
  const clock = { now: () => now, doubtful: false, least: 0 };
  addWorkspace(db, 'w');
  addDevice(db, 'w', 'till');
  const cola = { content_id: 'cola', content_name: 'Cola' };
  await takeIn(db, clock, 'till', [playAt(Date.UTC(2026, 9, 5), cola), playAt(Date.UTC(2026, 9, 6))]);
  const store = new SavedReportsStore(db);
  const report = {
    id: 'r',
    workspace_id: 'w',
    name: 'Cola’s month',
    filters: { content_id: ['cola'] },
    language: 'en' as const,
    recipients: ['a@cola.test', 'b@cola.test'],
    sent_month: '2026-09',
    created_at: 0,
  };
  db.write(() => store.insert(report, null));
  const sent: Sent[] = [];
  const mails = { configured: true, send: (mail: Sent) => void sent.push(mail) };
  const languages: Record<string, string> = {};
  /** Returns the service of a server that has just started. */
  const server = () => {
    const reports = new ReportsService({
      known: new KnownSubjectsStore(db),
      names: new ReportNamesStore(db),
      fileOf: () => '',
      server: () => 'Store',
      reader: openReader(db.raw),
      threads,
      keep: async () => {},
      signer: { publicKey: '', sign: () => '' },
      clock,
      zone: () => ZONE,
    });
    const languageOf = (email: string) => languages[email] ?? null;
    const parts = { db, store, reports, mails, languageOf, clock, log: silent, activity: { add() {} } };
    return new MonthlyReports({
      ...parts,
      zone: () => ZONE,
      origin: () => 'http://store',
    } as unknown as ConstructorParameters<typeof MonthlyReports>[0]);
  };
  return { store, sent, mails, languages, clock, server, at: (instant: number) => void (now = instant) };
};

test('a saved report is sent once to each recipient after the end of a month, as PDF and CSV of its filter', async (t) => {
  const { store, sent, server, at } = await open(t);
  await server().runDue();
  assert.equal(sent.length, 0);
  // October 31 in UTC, which is November already in the store's time zone.
  at(Date.UTC(2026, 9, 31, 23, 30));
  const running = server();
  await Promise.all([running.runDue(), running.runDue()]);
  assert.deepEqual(
    sent.map(({ to }) => to),
    ['a@cola.test', 'b@cola.test'],
  );
  const [{ subject, text, attachments }] = sent as [Sent];
  assert.equal(subject, 'Cola’s month, October 2026');
  assert.match(text, /from 1 October 2026 to 31 October 2026/);
  assert.deepEqual(
    attachments.map(({ filename }) => filename),
    [
      'report-2026-10-01-to-2026-10-31.pdf',
      'report-2026-10-01-to-2026-10-31.csv',
      'planned-2026-10-01-to-2026-10-31.csv',
    ],
  );
  assert.equal(attachments[0]!.content.subarray(0, 5).toString(), '%PDF-');
  assert.match(attachments[1]!.content.toString(), /^Device.*\ntill,Cola,2026-10-05[^\n]*\n$/);
  assert.equal(store.find('w', 'r')!.sent_month, '2026-10');
});

test('a month is sent once, even after a restart or when the clock goes back', async (t) => {
  const { sent, server, at } = await open(t);
  at(Date.UTC(2026, 10, 1, 9));
  await server().runDue();
  await server().runDue();
  at(Date.UTC(2026, 9, 20));
  await server().runDue();
  at(Date.UTC(2026, 10, 30));
  await server().runDue();
  assert.equal(sent.length, 2);
  at(Date.UTC(2026, 11, 3));
  await server().runDue();
  assert.equal(sent.length, 4);
});

test('while the clock is untrusted or no mail server is set, a month is neither sent nor marked as sent', async (t) => {
  const { sent, server, at, clock, mails } = await open(t);
  at(Date.UTC(2026, 10, 1, 9));
  clock.doubtful = true;
  await server().runDue();
  clock.doubtful = false;
  mails.configured = false;
  await server().runDue();
  assert.equal(sent.length, 0);
  mails.configured = true;
  await server().runDue();
  assert.equal(sent.length, 2);
});

test('a recipient who has chosen a language gets the report in it, and all others in the report’s language', async (t) => {
  const { sent, server, at, languages } = await open(t);
  languages['b@cola.test'] = 'de';
  at(Date.UTC(2026, 10, 1, 9));
  await server().runDue();
  assert.deepEqual(
    sent.map(({ to, subject, text }) => [to, subject, text.split('\n')[0]]),
    [
      [
        'a@cola.test',
        'Cola’s month, October 2026',
        'The report “Cola’s month” from 1 October 2026 to 31 October 2026 is attached. It compares planned and shown content.',
      ],
      [
        'b@cola.test',
        'Cola’s month, Oktober 2026',
        'Im Anhang ist der Bericht „Cola’s month“ vom 1. Oktober 2026 bis 31. Oktober 2026. Er vergleicht geplante und gezeigte Inhalte.',
      ],
    ],
  );
  const [english, german] = sent.map(({ attachments }) => attachments[0]!.content);
  assert.notDeepEqual(english, german);
});
