/**
 * A program that saves one change on a failing disk and prints the result: `node one-change.ts <database>
 * <kill|close>`. The program prints `ready`, saves the change after a line on stdin, and prints `answer <sentence>`
 * before it ends.
 */
import { once } from 'node:events';
import { Database } from '../../../server/db/database.ts';
import { ApiError } from '../../../shared/contract/errors.ts';

const [file = '', ending] = process.argv.slice(2);
const db = new Database(file);
db.raw.exec('CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT)');
const put = (key: string) =>
  db.write(() =>
    db.raw.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(key, JSON.stringify('x'.repeat(10_000))),
  );
const save = async (key: string): Promise<string> => {
  try {
    put(key);
    await db.durable();
    return 'saved';
  } catch (error) {
    return error instanceof ApiError ? `${error.status} ${error.message}` : String(error);
  }
};

await save('before');
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const answer = await save('change');
process.stdout.write(`answer ${answer}\n`, () => {
  if (ending === 'kill') process.kill(process.pid, 'SIGKILL');
  db.close();
  process.exit(0);
});
