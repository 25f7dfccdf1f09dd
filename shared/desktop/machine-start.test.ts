import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firewalldService, netshAdd, OPENINGS, openingsOf, ufwProfile } from './firewall.ts';
import { autostartEntry, launchAgent, sessionStart, taskXml, userUnit } from './machine-start.ts';
import { windowsArgument } from './system-words.ts';

/**
 * Folder names and arguments with characters that are special in shells, XML and units, such as quotes, `%` and `$`.
 */
const word = fc
  .oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[ \\"'$%&<>`a-z()\u00e4]{1,12}$/))
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text));
const start = fc.record({ program: word, args: fc.array(word, { maxLength: 4 }) });

/** Splits a command line as the C library of Windows does. */
const windowsArgs = (line: string): string[] => {
  const args: string[] = [];
  let [arg, quoted, begun] = ['', false, false];
  for (let i = 0; i < line.length; ) {
    const [slashes = ''] = /^\\*/.exec(line.slice(i))!;
    i += slashes.length;
    if (line[i] === '"') {
      arg += '\\'.repeat(slashes.length >> 1);
      begun = true;
      if (slashes.length % 2) arg += '"';
      else quoted = !quoted;
      i++;
    } else {
      arg += slashes;
      if (slashes) begun = true;
      if (i >= line.length) break;
      if (!quoted && /[ \t]/.test(line[i]!)) {
        if (begun) args.push(arg);
        [arg, begun] = ['', false];
      } else {
        arg += line[i];
        begun = true;
      }
      i++;
    }
  }
  return begun ? [...args, arg] : args;
};

const fromXml = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
/** Returns whether the text contains only characters that need no further escaping in XML. */
const isPlainXml = (text: string) => !/[<>]|&(?!#\d+;)/.test(text);

/** Returns the words in quotes, without the backslashes that protect characters. */
const quotedWords = (line: string): string[] =>
  [...line.matchAll(/"((?:\\.|[^"\\])*)"/g)].map((match) => match[1]!.replace(/\\(.)/g, '$1'));

test('start entry of Windows passes all arguments to the launcher unchanged', () => {
  fc.assert(
    fc.property(start, ({ program, args }) => {
      const text = taskXml({ program, args }, 'C:\\Windows\\System32\\conhost.exe');
      const line = /<Arguments>(.*)<\/Arguments>/.exec(text)?.[1] ?? '';
      assert.ok(isPlainXml(line));
      assert.deepEqual(windowsArgs(fromXml(line)), ['--headless', program, ...args]);
    }),
  );
  assert.equal(windowsArgument('C:\\Program Files\\Vitrine\\'), '"C:\\Program Files\\Vitrine\\\\"');
});

test('Windows starts a screen for every user, retries every minute while no screen runs, and has no time limit', () => {
  const text = taskXml({ program: 'node.exe', args: [] }, 'conhost.exe');
  for (const line of [
    '<GroupId>S-1-5-32-545</GroupId>',
    '<Interval>PT1M</Interval>',
    '<MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '<StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '<DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '<RunLevel>LeastPrivilege</RunLevel>',
  ])
    assert.ok(text.includes(line), line);
});

test('macOS passes all arguments to the launcher unchanged, and restarts the launcher after every end', () => {
  fc.assert(
    fc.property(start, ({ program, args }) => {
      const list = /<array>\n([\s\S]*?) {2}<\/array>/.exec(launchAgent({ program, args }))?.[1] ?? '';
      const words = [...list.matchAll(/<string>(.*)<\/string>/g)].map((match) => match[1]!);
      assert.ok(words.every(isPlainXml));
      assert.deepEqual(words.map(fromXml), [program, ...args]);
    }),
  );
  assert.match(launchAgent({ program: 'node', args: [] }), /<key>KeepAlive<\/key>\s*<true\/>/);
});

test('Linux desktop passes all arguments to the launcher unchanged after both kinds of quoting', () => {
  fc.assert(
    fc.property(start, ({ program, args }) => {
      const value = /^Exec=(.*)$/m.exec(autostartEntry({ program, args }))![1]!;
      // Order of unquoting: first the values of the file, then the words of Exec, then `%`.
      const line = value.replace(/\\(.)/g, (_, c) => ({ s: ' ', n: '\n', t: '\t', r: '\r' })[c as string] ?? c);
      assert.ok(!/(?:^|[^%])(?:%%)*%(?:[^%]|$)/.test(line), line);
      const words = quotedWords(line).map((each) => each.replaceAll('%%', '%'));
      assert.deepEqual(words, [program, ...args]);
    }),
  );
});

test('session starts the systemd unit, or the launcher itself on a system without systemd', () => {
  const { program, args } = sessionStart({ program: '/opt/a b/node', args: ['x.js', '--at-login'] });
  assert.deepEqual([program, args[0], ...args.slice(2)], ['/bin/sh', '-c', '/opt/a b/node', 'x.js', '--at-login']);
  assert.match(args[1]!, /restart vitrine-screen\.service 2>\/dev\/null \|\| exec "\$0" "\$@"$/);
});

test('systemd passes all arguments to the launcher unchanged, and restarts the launcher after every end', () => {
  fc.assert(
    fc.property(start, ({ program, args }) => {
      const line = /^ExecStart=(.*)$/m.exec(userUnit({ program, args }))![1]!;
      const [first, ...rest] = quotedWords(line).map((each) => each.replaceAll('%%', '%'));
      // systemd replaces variables in every word except the path of the program.
      assert.deepEqual([first, ...rest.map((each) => each.replaceAll('$$', '$'))], [program, ...args]);
    }),
  );
  assert.match(userUnit({ program: 'node', args: [] }), /^Restart=always$/m);
});

test('firewall opens the ports that each role needs', () => {
  const ports = (role: 'server' | 'player' | 'both') =>
    openingsOf(role).map(({ port, protocol }) => `${port}/${protocol}`);
  assert.deepEqual(
    [ports('server'), ports('both'), ports('player')],
    [['8710/tcp', '8711/tcp', '5353/udp'], ['8710/tcp', '8711/tcp', '5353/udp'], ['5353/udp']],
  );
  assert.match(ufwProfile('both'), /^ports=8710,8711\/tcp\|5353\/udp$/m);
  assert.match(ufwProfile('player'), /^ports=5353\/udp$/m);
  assert.deepEqual(firewalldService('server').match(/protocol="\w+" port="\d+"/g), [
    'protocol="tcp" port="8710"',
    'protocol="tcp" port="8711"',
    'protocol="udp" port="5353"',
  ]);
});

test("Windows opens the server's ports only to the packaged Node, and no port in public networks", () => {
  for (const opening of OPENINGS) {
    const words = netshAdd(opening, 'C:\\Program Files\\Vitrine\\resources\\node\\node.exe');
    assert.ok(words.includes('profile=private,domain'));
    assert.equal(
      words.includes('program=C:\\Program Files\\Vitrine\\resources\\node\\node.exe'),
      opening.protocol === 'tcp',
    );
  }
});
