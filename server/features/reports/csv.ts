/** CSV for spreadsheets (decisions, Reports). */

export const CSV_HEADER = 'Device,Content,Started,Ended,Duration (sec),Completed\n';

export interface CsvPlay {
  readonly device_name: string;
  readonly content_name: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: number;
}

export const csvLine = (play: CsvPlay): string =>
  `${cell(play.device_name)},${cell(play.content_name)},${iso(play.started_ms)},${iso(play.ended_ms)},${(play.ended_ms - play.started_ms) / 1000},${play.completed ? 'Yes' : 'No'}\n`;

/** Names repeat by the thousand, and the check costs more than all else. */
const cells = new Map<string, string>();
const MAX_CELLS = 10_000;

const cell = (text: string): string => {
  let made = cells.get(text);
  if (made === undefined) {
    made = makeCell(text);
    if (cells.size >= MAX_CELLS) cells.clear();
    cells.set(text, made);
  }
  return made;
};

/**
 * What begins a formula, full-width forms included; also behind a semicolon, at which spreadsheets of many countries split,
 * whatever the quotes say.
 */
const FORMULA = /(^|;)(\s*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: tabs and line ends are what a cell must not have
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** A cell that a spreadsheet shows and never runs. */
const makeCell = (text: string): string => {
  const safe = text.replace(CONTROL, ' ').replace(FORMULA, "$1$2'");
  return /[",;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};

let lastMs = Number.NaN;
let lastText = '';

/** Plays follow each other: one's end is often the next one's start. */
const iso = (ms: number): string => {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
};
