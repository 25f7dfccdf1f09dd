/**
 * Checks the vocabulary: each thing has one word per language. Words that were rejected appear in no text of the
 * window, in the handbook, or in the German translations of server sentences.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as playerScreen from '../../player/screen/text.ts';
import * as playerPage from '../../player/web/text.ts';
import { wordsIn } from '../../server/mails/words.ts';
import { sentences as germanSentences } from '../../shared/sentences/de.ts';
import { topics as germanTopics } from '../pages/help/topics.de.ts';
import { topics as englishTopics } from '../pages/help/topics.en.ts';
import { de } from './de.ts';
import { en } from './en.ts';

type Language = 'en' | 'de';
interface Term {
  readonly en: string;
  readonly de: string;
  readonly not: Readonly<Partial<Record<Language, RegExp>>>;
  /** Matches the keys of texts in which the rejected word is right, because it has another meaning there. */
  readonly except?: RegExp;
}

const GLOSSARY: readonly Term[] = [
  {
    en: 'screen',
    de: 'Bildschirm',
    not: { en: /\b(devices?|monitors?|panels?|TVs?)\b/i, de: /\b(Geräte?n?|Monitore?)\b/ },
  },
  { en: 'display: what a screen switches on and off', de: 'Anzeige', not: { de: /\bDisplays?\b/ } },
  { en: 'player', de: 'Player', not: { en: /\b(client software|receiver app)\b/i, de: /\bAbspieler\b/ } },
  {
    en: 'content',
    de: 'Inhalt',
    not: { en: /\b(contents|assets?|media|librar(y|ies))\b/i, de: /\b(Medien|Mediathek|Bibliothek)\b/ },
    except: /^about\./,
  },
  { en: 'playlist', de: 'Playlist', not: { en: /\b(loops?|sequences?)\b/i, de: /\bWiedergabeliste/ } },
  // An element is a part of a design.
  { en: 'item', de: 'Eintrag', not: { de: /\bElement/ }, except: /^designer\./ },
  { en: 'plan', de: 'Plan', not: { en: /\bschedules\b/i, de: /\bZeitpläne/ } },
  { en: 'campaign: of headquarters', de: 'Kampagne', not: { en: /\bpromotions?\b/i, de: /\bWerbeaktion/ } },
  { en: 'layout', de: 'Layout', not: { en: /\btemplate layout\b/i, de: /\bAufteilung\b/ } },
  {
    en: 'zone',
    de: 'Zone',
    not: { en: /\b(regions?|areas?)\b/i, de: /\b(Bereiche?n?|Flächen?)\b/ },
    // In these texts the word means the region of a store or the zone of a layout.
    except: /^(stores?|orders|chainPlays|campaigns?|software|rights|handbook\.(chain|campaigns|values|software))\./,
  },
  { en: 'store: of a chain', de: 'Filiale', not: { en: /\b(branch office|outlets?)\b/i, de: /\bNiederlassung/ } },
  { en: 'headquarters', de: 'Zentrale', not: { en: /\bhead office\b/i, de: /\b(Hauptsitz|Konzernzentrale)\b/ } },
  {
    en: 'enrol: a store with headquarters',
    de: 'anschließen',
    not: { en: /\benrolls?\b/i, de: /\b(beitreten|Beitritt)/ },
  },
  { en: 'group', de: 'Gruppe', not: { en: /\bclusters?\b/i } },
  { en: 'video wall', de: 'Videowand', not: { de: /\bW(and|ände|änden)\b/ } },
  { en: 'bezel', de: 'Rahmen', not: { en: /\bgaps?\b/i, de: /\b(Lücken?|Stege?)\b/ } },
  { en: 'tag: of screens', de: 'Tag', not: { en: /\bkeywords?\b/i, de: /\bSchlagw/ } },
  { en: 'label: of content', de: 'Etikett', not: { de: /\bLabels?\b/ } },
  { en: 'publish', de: 'veröffentlichen', not: { en: /\bgo(es)? live\b/i, de: /\bfreischalten\b/ } },
  { en: 'fallback', de: 'Ersatzinhalt', not: { en: /\bdefault content\b/i, de: /\bErsatz\b/ } },
  { en: 'priority', de: 'Priorität', not: { en: /\bstrength|how strong\b/i, de: /\b(Vorrang|Wie stark)\b/ } },
  { en: 'duration', de: 'Dauer', not: { en: /^how long\b/i, de: /^Wie lange\b(?! )/ } },
  { en: 'play', de: 'Wiedergabe', not: { en: /\bplay-?outs?\b/i, de: /\bAusspiel/ } },
  {
    en: 'alert',
    de: 'Meldung',
    not: { en: /\b(alarms?|warnings list)\b/i, de: /\bWarnmeldung/ },
    except: /^message\./,
  },
  { en: 'message', de: 'Nachricht', not: { de: /\bBotschaft/ } },
  { en: 'bin', de: 'Papierkorb', not: { en: /\b(trash|recycle)\b/i, de: /\bMülleimer\b/ } },
  {
    en: 'restore',
    de: 'wiederherstellen',
    not: {
      en: /\b(bring|brings|brought) back\b/i,
      de: /(zurückspiel|zurückgespielt|zurückhol|zurückgeholt|[Hh]olen Sie [^.]*zurück)/,
    },
  },
  { en: 'disk', de: 'Laufwerk', not: { en: /\bhard drive\b/i, de: /\bFestplatte/ } },
  { en: 'kiosk page', de: 'Kioskseite', not: { de: /\bKiosk-Seite/ } },
  { en: 'button', de: 'Schaltfläche', not: { de: /\b(Knopf|Knöpfe)/ }, except: /^commands\.of\.shutdown\./ },
  { en: 'identify', de: 'identifizieren', not: { de: /\bErkennen\b/ } },
  { en: 'access token', de: 'Zugangsschlüssel', not: { en: /\bAPI keys?\b/i, de: /\bTokens?\b/ } },
  { en: 'sign in', de: 'anmelden', not: { en: /\blog ?in|log(ged)? on\b/i, de: /\b(einloggen|Login)\b/i } },
  { en: 'sign-in provider', de: 'Anmeldedienst', not: { en: /\bidentity provider/i, de: /\bIdentitätsanbieter/ } },
  {
    en: 'rollout',
    de: 'Verteilung',
    not: { en: /\bon its way\b/i, de: /\b(Ausrollen|Rollout)\b/ },
    except: /^people\.|^overlay\./,
  },
  {
    en: 'offline',
    de: 'offline',
    not: { en: /\b(is|are|was) away\b/i, de: /\b(ist|sind) weg\b/ },
    except: /^attention\./,
  },
  {
    en: 'select: in a list',
    de: 'auswählen',
    not: { en: /\b(un)?tick(s|ed)?\b/i, de: /\b(ankreuzen|[Kk]reuzen Sie|anhaken|Haken)\b/ },
  },
  { en: 'automatically', de: 'automatisch', not: { en: /\bby (itself|themselves)\b/i, de: /\bvon selbst\b/ } },
  {
    en: 'workspace',
    de: 'Arbeitsbereich',
    not: { en: /\btenan(t|cy)\b/i },
    except: /^server\.(provider|issuer|tenant)/,
  },
];

/** Words that nobody uses in a shop, and headings that do not name the content below them. */
const STYLE: Readonly<Record<Language, RegExp>> = {
  en: /\b(shall|whom|thereof|herein|in vain|anew|gives? way|goes? dark|behind us|hang(s|ing)? (a|the) screen)\b/i,
  de: /\b(dereinst|vergebens|vergeblich|allsogleich|schweigt|obliegt|ward)\b/i,
};
const RIDDLES: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set([
    'Name and door',
    'Where it is',
    'How long',
    'Who is told',
    'Its page',
    'What',
    'Where',
    'Whose week',
    'Only',
    'Do',
    'Places',
    'Found',
    'Make',
    'Look back',
    'Look',
    'Mounted',
    'Belongs to',
    'Put aside',
    'Now and then',
    'Over time',
    'What it plays',
    'What it shows',
    'What was done',
    'What needs somebody',
    'This window',
  ]),
  de: new Set([
    'Name und Tür',
    'Wo es ist',
    'Wie lange',
    'Wer es erfährt',
    'Seine Seite',
    'Was',
    'Wo',
    'Wessen Woche',
    'Nur',
    'Tun',
    'Orte',
    'Gefunden',
    'Gestalten',
    'Rückblick',
    'Aufgehängt',
    'Gehört zu',
    'Beiseitegelegt',
    'Jetzt und dann',
    'Im Verlauf',
    'Was er spielt',
    'Was sie spielt',
    'Was getan wurde',
    'Was jemanden braucht',
    'Dieses Fenster',
  ]),
};

type Text = readonly [name: string, text: string];
const flat = (texts: object, path = ''): Text[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as const] : flat(value as object, `${path}${key}.`),
  );
const ofTopics = (topics: typeof englishTopics): Text[] =>
  topics.flatMap(({ id, ...topic }) => flat(topic, `handbook.${id}.`));
/** German translations of server sentences. */
const sentences: Text[] = Object.entries(germanSentences).map(([english, german]) => [`sentence “${english}”`, german]);

/** Removes placeholders and tags from a text, since their names are not words of the text. */
const words = (text: string): string => text.replace(/\{\{\w+\}\}/g, '').replace(/<[^>]*>/g, '');

const texts: Readonly<Record<Language, readonly Text[]>> = {
  en: [...flat(en), ...ofTopics(englishTopics)],
  de: [...flat(de), ...ofTopics(germanTopics), ...sentences],
};

for (const language of ['en', 'de'] as const) {
  test(`texts use no rejected word for a term of the glossary (${language})`, () => {
    const found = GLOSSARY.flatMap(({ not, except, [language]: said }) =>
      texts[language]
        .filter(([name, text]) => not[language]?.test(words(text)) && !except?.test(name))
        .map(([name, text]) => `${name}: “${text}” has a word for “${said}”`),
    );
    assert.deepEqual(found, []);
  });

  test(`texts have no archaic words, and every heading names its content (${language})`, () => {
    const found = texts[language].filter(
      ([, text]) => STYLE[language].test(words(text)) || RIDDLES[language].has(text),
    );
    assert.deepEqual(found, []);
  });
}

/** English phrases from earlier versions that readers had to read twice, each with a better phrase. */
const BETTER: Readonly<Record<Language, readonly (readonly [worse: RegExp, better: string])[]>> = {
  en: [
    [/(?<!e-)\bmails?\b(?! server)/i, 'e-mail'],
    [/\bpictures?\b/i, 'image'],
    [/\b(sounds|clips?|films?)\b/i, 'audio, video'],
    [/\bmend(s|ed)?\b/i, 'fix'],
    [/\bstands? (under|in|there|beside|where|above)\b/i, 'is in'],
    [/\bsomebody who\b/i, 'an administrator, an approver'],
    [/\bwho(m)?ever\b/i, 'people who, anyone with'],
    [/\b(nobody|somebody) (knows|takes|is told|needs)\b/i, 'name the person or the state'],
    [/\bneeds? (a person|somebody|anybody)\b/i, 'needs attention'],
    [/\b(is|are|was|were|been) told\b/i, 'is notified, is sent'],
    [/\bnot heard of\b|\bnothing (was|has been) heard\b/i, 'offline, no contact'],
    [/\bdark (screens?|minutes)\b|\bgo(es)? on\b(?! screens)/i, 'offline; keeps playing'],
    [/\bbeside\b/i, 'next to'],
    [/\b(these|those|them|this|its workspaces) alone\b/i, 'only'],
    [
      /\b(the store|stores?)(’s|’) own\b(?! (window|clock|administrators|server|safety|content|people|internet|computer|PC))/i,
      'store content',
    ],
    [/\bany ?more\b/i, 'no longer'],
    [/\banew\b/i, 'again'],
    [/\bgoes? before\b|\boverrul/i, 'overrides'],
    [/\btak(e|es|en|ing) in a\b/i, 'import'],
    [/\bmade? (a|an|new|the) (code|playlist|campaign|account|copy|token)/i, 'create'],
    [/^(who|whose|which|what|where|whoever)\b[^?]*$/i, 'subject first; a heading names its thing'],
  ],
  de: [
    [/(?<!E-)\bMails?\b/, 'E-Mail'],
    [/\bWer (verwaltet|freigibt|bearbeitet|das will)\b/, 'Administration, wer freigeben darf'],
    [/\bbrauch(t|en) jemanden\b/, 'braucht Aufmerksamkeit'],
    [/\bnichts (von (ihm|ihr) )?zu hören\b|\bdunkle(r|n)? Bildschirm/i, 'offline'],
    [/\b(neuestes|neuesten) Programm\b/, 'neueste Inhalte'],
    [/\bgeht es (ihren|seinen|allen|den) /, 'Status'],
    [/\bist zum Ansehen da\b/, 'nur ansehen'],
    [/\b(Ausspiel|Durchsage)/, 'Wiedergabe, Nachricht'],
    [/\bmisslungen\b/, 'fehlgeschlagen'],
    [/\bheil\b/, 'unbeschädigt'],
  ],
};
/** Matches the keys of texts in which such a phrase is right. */
const RIGHT_THERE = /^(layouts\.template\.picture-in-picture|held\.rankShort)/;

/** Texts of mails, rendered with sample values. */
const mailTexts = (language: Language): Text[] => {
  const { texts: mail } = wordsIn(language);
  const facts = { name: 'Anna', server: 'Store', organization: 'Org', link: 'LINK', email: 'a@b', to: 'a@b' };
  const more = { workspace: 'W', inviter: 'Ben', by: 'Ben', month: 'M', from: 'F', lines: '', minutes: 5, count: 2 };
  const all = { ...facts, ...more };
  const letters = [
    mail.verification(all),
    mail.passwordSet(all),
    mail.welcome(all),
    mail.newUser(all),
    mail.invite(all),
    mail.test(all),
    mail.report(all),
    mail.dark(all),
    mail.assigned(all),
    mail.approval(all),
  ];
  const kinds = Object.entries(mail.kinds).flatMap(([kind, { many, one }]) =>
    [
      many(2),
      one({ value: '3', until: 'U', message: '', cause: 'alone' }),
      one({ value: '3', until: 'U', message: '', cause: 'network' }),
    ].map((text) => [`mail.kinds.${kind}`, text] as const),
  );
  return [
    ...letters.flatMap(({ subject, text }) => [['mail', subject] as const, ['mail', text] as const]),
    ...kinds,
    ...flat(mail.problems, 'mail.problems.'),
    ['mail.digest', `${mail.digest.nothing} ${mail.digest.why('W')}`],
  ];
};

test('texts use no phrase that the table BETTER replaces by another phrase (en)', () => {
  const player = [playerPage, playerScreen].flatMap(({ textsFor }) => flat(textsFor(['en']).texts, 'player.'));
  const found = [...texts.en, ...mailTexts('en'), ...player].flatMap(([name, text]) =>
    BETTER.en
      .filter(([worse]) => worse.test(words(text)) && !RIGHT_THERE.test(name))
      .map(([worse, better]) => `${name}: “${text}” has ${worse}; better: ${better}`),
  );
  assert.deepEqual(found, []);
});

test('texts use no phrase that the table BETTER replaces by another phrase (de)', () => {
  const player = [playerPage, playerScreen].flatMap(({ textsFor }) => flat(textsFor(['de']).texts, 'player.'));
  const found = [...texts.de, ...mailTexts('de'), ...player].flatMap(([name, text]) =>
    BETTER.de
      .filter(([worse]) => worse.test(words(text)))
      .map(([worse, better]) => `${name}: “${text}” has ${worse}; better: ${better}`),
  );
  assert.deepEqual(found, []);
});

/** Checks the keys of the translations, which are the English sentences of the server and the screens. */
test('sentences of the server and the screens use no rejected phrase', async () => {
  const { sentences: known } = await import('../../shared/sentences/de.ts');
  const WORSE =
    /(?<!e-|no )\b(mails?\b|pictures?\b(?!\.jpg)|whoever|nobody would|somebody (stands|look)|is for .* to say|go(es)? on playing|was told|is told|not heard of|bring that back|brought in|taken in|stands in|anew|as ever)\b/i;
  assert.deepEqual(
    Object.keys(known).filter((sentence) => WORSE.test(sentence)),
    [],
  );
});
