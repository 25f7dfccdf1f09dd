import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { type ESTree, parseSync, Visitor } from 'vite';
import { sentences } from './de.ts';
import { wordsBy } from './words.ts';

const german = wordsBy(sentences);

test('sentence is translated with its values, also after the name of a request field', () => {
  assert.equal(german('Two-factor sign-in is not on'), 'Die Anmeldung in zwei Schritten ist nicht an');
  assert.equal(
    german('A playlist can have at most 2000 items. Delete items that are not needed, or use another playlist.'),
    'Eine Playlist kann höchstens 2000 Einträge haben. Löschen Sie unnötige Einträge, oder nehmen Sie eine andere Playlist.',
  );
  assert.equal(german('current_password: is wrong'), 'current_password: ist falsch');
  assert.equal(
    german('blocks.0.end: must not be the same time as start'),
    'blocks.0.end: darf nicht derselbe Zeitpunkt sein wie der Beginn',
  );
  assert.equal(german('name: must be at most 200 characters'), 'name: darf höchstens 200 Zeichen haben');
});

test('longer of two matching sentences is used, and values that are sentences are translated too', () => {
  const words = wordsBy({ '{0}.': '{0}!', 'no {0}.': 'kein {0}.', 'it broke: {0}': 'kaputt: {0}' });
  assert.equal(words('no bread.'), 'kein bread.');
  assert.equal(words('it broke: it broke: no bread.'), 'kaputt: kaputt: kein bread.');
});

test('message of a screen about an item is translated, whatever the name of the item', () => {
  const cases = {
    'Sommer 2026: Angebot.jpg: the image cannot be read': 'Sommer 2026: Angebot.jpg: das Bild lässt sich nicht lesen',
    'Menü (http://10.0.0.5/menu): the address answers with the error 404':
      'Menü (http://10.0.0.5/menu): die Adresse antwortet mit dem Fehler 404',
    'Menü (http://10.0.0.5/menu): the address redirects too many times; the last image stays on the screen':
      'Menü (http://10.0.0.5/menu): die Adresse leitet zu oft weiter; das letzte Bild bleibt auf dem Bildschirm',
    'Prices.pdf: page 3 of the PDF cannot be drawn': 'Prices.pdf: Seite 3 des PDFs lässt sich nicht zeichnen',
    'The disk of this player is full: new files cannot be downloaded. Free some space on the disk, or show less content on this player.':
      'Das Laufwerk dieses Players ist voll: Neue Dateien lassen sich nicht herunterladen. Schaffen Sie Platz auf dem Laufwerk, oder zeigen Sie auf diesem Player weniger Inhalte.',
  };
  for (const [english, said] of Object.entries(cases)) assert.equal(german(english), said);
});

test('hostile text with many colons and full stops is handled quickly', () => {
  const hostile = ['a: ', 'Ab c. ', 'Ab: c. ', 'a; ', '{0} ', 'The file is a: b. '];
  const began = performance.now();
  for (const text of hostile) for (const times of [19, 1_000]) german(text.repeat(times));
  assert.ok(performance.now() - began < 3_000, `${Math.round(performance.now() - began)} ms`);
});

test('text of several sentences is translated sentence by sentence', () => {
  assert.equal(
    german('The disk is getting full: 812 MB are free. At the current rate, the disk is full in 9 days.'),
    'Das Laufwerk wird voll: 812 MB sind frei. Geht es so weiter, ist das Laufwerk in 9 Tagen voll.',
  );
  const together = wordsBy({ 'It broke.': 'Kaputt.', 'It is {0}. Is it in?': 'Es ist {0}. Steckt es?' });
  assert.equal(together('It broke. It is away. Is it in?'), 'Kaputt. Es ist away. Steckt es?');
  assert.equal(together('It is away. So it goes.'), 'It is away. So it goes.');
  assert.equal(
    german(
      '2 media files are missing from the disk: a.jpg, b.jpg. The server is searching the backups for these files.',
    ),
    '2 Mediendateien fehlen auf dem Laufwerk: a.jpg, b.jpg. Der Server sucht diese Dateien in den Sicherungen.',
  );
  assert.equal(
    german('E-mails cannot be delivered. Connection refused. Try an older backup.'),
    'E-Mails lassen sich nicht zustellen. Connection refused. Nehmen Sie eine ältere Sicherung.',
  );
  assert.equal(german('Dr. House not found'), 'Dr. House nicht gefunden', 'a name may look like two sentences');
});

test('unknown text stays unchanged', () => {
  for (const text of ['', 'Offers.jpg', 'Something: else', 'constructor', '{0}']) assert.equal(german(text), text);
});

test('translation contains the same placeholders for values as its English sentence', () => {
  const holes = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort().join();
  for (const [english, said] of Object.entries(sentences)) {
    const [asked, has] = [holes(english), holes(said)];
    // The German sentence may omit the last values, for example the translation of "A workspace holds at most {0}
    // {1}s".
    assert.ok(asked === has || (asked.startsWith(has) && has !== ''), english);
    assert.ok(said.trim() !== '' && said !== english, english);
  }
});

/** Pattern of calls whose text is a sentence for people. */
const SAY =
  /^(badRequest|conflict|forbidden|gone|unauthorized|tooMany|stale|onFault|#?fail|#?failed|refused?|unverified|hint)$/;
const RULES =
  /^(refine|regex|min|max|int|union|number|string|boolean|array|wholeFrom|between|filled|literal|object|enum)$/;

const textOf = (node: ESTree.Node): string | undefined => {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral')
    return node.quasis.map((part, i) => part.value.cooked + (i < node.expressions.length ? `{${i}}` : '')).join('');
  return undefined;
};
const textsOf = (node: ESTree.Node): string[] => {
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  if (node.type === 'ObjectExpression')
    return node.properties.flatMap((one) =>
      one.type === 'Property' && one.key.type === 'Identifier' && /^(message|error)$/.test(one.key.name)
        ? textsOf(one.value)
        : [],
    );
  const text = textOf(node);
  return text === undefined ? [] : [text];
};
const nameOf = (callee: ESTree.Expression): string => {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && 'name' in callee.property ? String(callee.property.name) : '';
};

/** Returns every sentence that a source file throws or returns as a reason. */
const sentencesIn = (file: string): string[] => {
  const found: string[] = [];
  const path = file.replaceAll('\\', '/');
  const isContract = path.includes('shared/contract/');
  const take = (nodes: readonly ESTree.Node[]) => found.push(...nodes.flatMap(textsOf));
  new Visitor({
    CallExpression(node) {
      const name = nameOf(node.callee);
      if (SAY.test(name) || (isContract && RULES.test(name))) take(node.arguments);
    },
    ReturnStatement(node) {
      // Values that are words and not sentences: the kind of a file in "The file is …", and faults of a page.
      if (/media\/kinds\/recognize|agent\/browser\/page-check|screen\/host\/agent-host/.test(path) && node.argument)
        take([node.argument]);
    },
    VariableDeclarator(node) {
      if (path.includes('screen/frames/frame-verdict') && node.init) take([node.init]);
    },
    NewExpression(node) {
      if (/(Error|Refused|ConnectionDown|Unproved|Unreadable|BadBytes)$/.test(nameOf(node.callee)))
        take(node.arguments);
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return found.filter((text) => /\s/.test(text));
};

/** Source files whose sentences go to programs or to the console of the server, not to an admin window. */
const ELSEWHERE: readonly RegExp[] = [
  /server\/(http|cli|service|desktop|db|compose|app\.ts|config\.ts|identity\.ts|discovery)/,
  /server\/features\/(accounts\/(providers\/oidc|sign-in\/actor-source|secret-box)|reports\/(ingest\/plays-ingest|period|planned\/planned-windows)|updates\/release-files)|server\/programs\/program-history/,
  /server\/upkeep\/(disk\/(data-folder|move)|restore)/,
  /player\/(agent\/(screen-server|files\/(steady-journal|asset-files|lock\.store)|machine\/run|address|discovery)|updates|core|desktop|web\/storage\/database)/,
  /shared\/(desktop|protocol|program\/(civil|cycle)|chain\/bytes)/,
  /shared\/contract\/(screens\/(player|pairing)|people\/tokens|server\/tls|client|endpoint)\.ts/,
];
const sources = globSync('{server,shared,player}/**/*.ts', {
  exclude: (path) => /\.test\.ts$|testing|\/dev\//.test(String(path)),
}).filter((file) => !ELSEWHERE.some((path) => path.test(file.replaceAll('\\', '/'))));

test('every sentence of the server or a screen for people has a German translation', () => {
  assert.ok(sources.length > 200, `${sources.length} sources`);
  const missing = sources.flatMap((file) =>
    sentencesIn(file)
      .map((text) => text.replace(/^[a-z_{][\w.{}]*(, [a-z_][\w.]*)*: /, ''))
      .filter((text) => /[a-z]{2}/i.test(text.replaceAll(/\{\d\}/g, '')))
      .map((text) => text.replaceAll(/\{\d\}/g, '7'))
      .filter((text) => german(text) === text)
      .map((text) => `${basename(file)}: ${text}`),
  );
  assert.deepEqual(missing, []);
});
