/**
 * One word for one thing. What it is called in each language, and the words that people might take instead: none of
 * those is in any text of the window, in the handbook, or in the German of what the server says.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { topics as germanTopics } from '../places/help/topics.de.ts';
import { topics as englishTopics } from '../places/help/topics.en.ts';
import { de } from './de.ts';
import { en } from './en.ts';

type Language = 'en' | 'de';
interface Term {
  readonly en: string;
  readonly de: string;
  readonly not: Readonly<Partial<Record<Language, RegExp>>>;
  /** Texts in which such a word means something else, by their names. */
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
  { en: 'item', de: 'Eintrag', not: { de: /\bElement/ } },
  { en: 'plan', de: 'Plan', not: { en: /\bschedules\b/i, de: /\bZeitpläne/ } },
  { en: 'campaign: of headquarters', de: 'Kampagne', not: { en: /\bpromotions?\b/i, de: /\bWerbeaktion/ } },
  { en: 'layout', de: 'Layout', not: { en: /\btemplate layout\b/i, de: /\bAufteilung\b/ } },
  {
    en: 'zone',
    de: 'Zone',
    not: { en: /\b(regions?|areas?)\b/i, de: /\b(Bereiche?n?|Flächen?)\b/ },
    // Stores lie in regions, zones in layouts.
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

/** What nobody says across a counter; and headings that ask a riddle where they should name what they hold. */
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
/** The German of sentences, wherever it lies. */
const sentences = async (): Promise<Text[]> => {
  const root = join(import.meta.dirname, '..', '..');
  const [file] = globSync('{admin-ui/i18n/de/sentences.ts,shared/sentences/de.ts}', { cwd: root });
  assert.ok(file, 'the sentences are somewhere');
  const module = (await import(join(root, file))) as { sentences: Record<string, string> };
  return Object.entries(module.sentences).map(([english, german]) => [`sentence “${english}”`, german]);
};

/** Placeholders are names of the program's, and a word in quotation marks is somebody else's. */
const words = (text: string): string => text.replace(/\{\{\w+\}\}/g, '').replace(/<[^>]*>/g, '');

const texts: Readonly<Record<Language, readonly Text[]>> = {
  en: [...flat(en), ...ofTopics(englishTopics)],
  de: [...flat(de), ...ofTopics(germanTopics), ...(await sentences())],
};

for (const language of ['en', 'de'] as const) {
  test(`each thing has one word (${language})`, () => {
    const found = GLOSSARY.flatMap(({ not, except, [language]: said }) =>
      texts[language]
        .filter(([name, text]) => not[language]?.test(words(text)) && !except?.test(name))
        .map(([name, text]) => `${name}: “${text}” has a word for “${said}”`),
    );
    assert.deepEqual(found, []);
  });

  test(`no text is archaic, and no heading a riddle (${language})`, () => {
    const found = texts[language].filter(
      ([, text]) => STYLE[language].test(words(text)) || RIDDLES[language].has(text),
    );
    assert.deepEqual(found, []);
  });
}
