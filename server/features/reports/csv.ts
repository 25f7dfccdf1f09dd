/** CSV for spreadsheets (decisions, Reports). */

export const CSV_HEADER = 'Device,Content,Started,Ended,Duration (sec),Completed\n';

export interface CsvPlay {
  /** As {@link csvNames} says them. */
  readonly names: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: number;
}

/** The cells of both names. They are the same for thousands of plays, and to make them costs more than the rest. */
export const csvNames = (device: string, content: string): string => `${csvCell(device)},${csvCell(content)}`;

export const csvLine = ({ names, started_ms, ended_ms, completed }: CsvPlay): string =>
  `${names},${started(started_ms)},${ended(ended_ms)},${(ended_ms - started_ms) / 1000},${completed ? 'Yes' : 'No'}\n`;

/** Signs with which a formula begins, full-width forms included: of a regular expression. */
export const FORMULA_SIGNS = String.raw`[=+\-@\uff0b\uff0d\uff1d\uff20]`;
/** Where one begins; also behind a semicolon, at which spreadsheets of many countries split, whatever the quotes say. */
const FORMULA = new RegExp(String.raw`(^|;)(\s*)(?=${FORMULA_SIGNS})`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: tabs and line ends are what a cell must not have
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** A cell that a spreadsheet shows and never runs. */
export const csvCell = (text: string): string => {
  const safe = text.replace(CONTROL, ' ').replace(FORMULA, "$1$2'");
  return /[",;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const pad = (n: number, digits: number): string => String(n).padStart(digits, '0');
const SECONDS = Array.from({ length: 60 }, (_, n) => pad(n, 2));
const MILLISECONDS = Array.from({ length: 1000 }, (_, n) => `.${pad(n, 3)}Z`);

/** `toISOString` for times that mostly lie in the minute of the one before: a third of an export's time otherwise. */
const isoTimes = (): ((ms: number) => string) => {
  let minute = Number.NaN;
  let prefix = '';
  return (ms) => {
    const rest = ms % 60_000;
    if (ms - rest !== minute) {
      minute = ms - rest;
      prefix = new Date(minute).toISOString().slice(0, 17);
    }
    return prefix + SECONDS[Math.floor(rest / 1000)] + MILLISECONDS[rest % 1000];
  };
};
const started = isoTimes();
const ended = isoTimes();
