/**
 * The report that a customer gets: one to a few pages of A4. Runs in the reports' thread; what it draws is bounded, so
 * that a year of 10,000 contents makes no book.
 */
import type { Delivery, ReportLanguage, Summary } from '../../../../shared/contract/reports.ts';
import { DAY_MS, parseDate } from '../../../../shared/program/civil.ts';
import { ACCENT, BOTTOM, INNER, LINE, PAGE, Paper, SOFT } from './paper.ts';
import { type ReportWords, reportWords } from './report-words.ts';

/** Rows of each table: about three pages. Those with the most plays. */
const MAX_ROWS = 120;
/** More bars than this are a fence: then months are drawn. */
const MAX_DAYS = 62;
const ROW = 17;
const CHART = 110;
/** Points; what the logo is fitted into. */
const LOGO = { width: 130, height: 46 };

/** Of the width: plays, time, average, contents, screens. */
const TOTALS = [0.2, 0.28, 0.22, 0.15, 0.15];

/** What is known of a report besides its figures. */
export interface ReportFacts {
  readonly language: ReportLanguage;
  /** @default the words for proof of play */
  readonly title: string | undefined;
  /** The workspace's name. */
  readonly store: string;
  /** Days of `zone`, YYYY-MM-DD, both included. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** What it is narrowed to, by name. */
  readonly filters: readonly { readonly kind: string; readonly names: readonly string[] }[];
  /** Epoch milliseconds. */
  readonly now: number;
}

type Row = { readonly name: string; readonly plays: number; readonly total_seconds: number };

/** @param more.signatures of screens, that vouch for its plays @param more.logo PNG */
export const reportPdf = async (
  facts: ReportFacts,
  summary: Summary,
  { planned: _planned, signatures, logo }: { planned: Delivery; signatures: number; logo: Buffer | undefined },
): Promise<Buffer> => {
  // Large, and needed here alone.
  const { default: PDFDocument } = await import('pdfkit');
  const words = reportWords[facts.language];
  const doc = new PDFDocument({
    size: 'A4',
    // Nothing breaks by itself: what is set stands where it is set.
    margin: 0,
    bufferPages: true,
    // The built-in one has Latin-1 alone.
    font: null as unknown as string,
    lang: facts.language,
    info: { Title: facts.title ?? words.title, Author: facts.store, CreationDate: new Date(facts.now) },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  new ReportPages(new Paper(doc), facts, words).draw(summary, { signatures, logo });
  doc.end();
  await done;
  return Buffer.concat(chunks);
};

/** The first even round number that holds the value. */
const roundTop = (value: number): number => {
  const step = Math.max(2, 10 ** Math.floor(Math.log10(value)) / 5);
  return Math.ceil(value / step) * step;
};

class ReportPages {
  readonly #paper: Paper;
  readonly #facts: ReportFacts;
  readonly #words: ReportWords;
  #y: number = PAGE.margin;

  constructor(paper: Paper, facts: ReportFacts, words: ReportWords) {
    this.#paper = paper;
    this.#facts = facts;
    this.#words = words;
  }

  draw(summary: Summary, { signatures, logo }: { signatures: number; logo: Buffer | undefined }): void {
    const { content, screen, nothing, proof, made } = this.#words;
    this.#head(logo);
    this.#totals(summary.overall);
    if (summary.overall.total_plays === 0) this.#say(nothing);
    else {
      this.#chart(summary.by_day);
      this.#table(
        content,
        summary.by_content.map(({ content_name: name, ...row }) => ({ name, ...row })),
      );
      this.#table(
        screen,
        summary.by_device.map(({ device_name: name, ...row }) => ({ name, ...row })),
      );
    }
    this.#need(60);
    if (signatures > 0) this.#say(proof(this.#number(signatures)));
    const day = new Intl.DateTimeFormat(this.#facts.language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: this.#facts.zone,
    });
    this.#say(made(day.format(this.#facts.now), this.#facts.zone.replaceAll('_', ' ')));
    this.#numberPages();
  }

  #head(logo: Buffer | undefined): void {
    const { store, title, from, to, filters } = this.#facts;
    const width = INNER - LOGO.width - 20;
    if (logo)
      this.#paper.doc.image(logo, PAGE.width - PAGE.margin - LOGO.width, this.#y, {
        fit: [LOGO.width, LOGO.height],
        align: 'right',
      });
    this.#paper.text(store, PAGE.margin, this.#y, { size: 10, color: SOFT, width });
    this.#paper.text(title ?? this.#words.title, PAGE.margin, this.#y + 16, { size: 22, isBold: true, width });
    this.#y += 56;
    const lines = [
      [this.#words.period, this.#days(from, to)],
      ...filters.map(({ kind, names }) => [this.#words.filters[kind] ?? kind, names.join(', ')]),
      ...(filters.length === 0 ? [['', this.#words.all]] : []),
    ] as [string, string][];
    for (const [name, text] of lines) {
      if (name !== '') this.#paper.text(name, PAGE.margin, this.#y, { color: SOFT, width: 120 });
      const x = PAGE.margin + (name === '' ? 0 : 128);
      this.#y = this.#paper.paragraph(text, x, this.#y, { width: PAGE.margin + INNER - x }) + 2;
    }
    this.#y += 10;
  }

  #totals(overall: Summary['overall']): void {
    const { plays, time, contents, screens, average } = this.#words;
    const totals: [string, string][] = [
      [plays, this.#number(overall.total_plays)],
      [time, this.#span(overall.total_seconds)],
      [average, this.#span(overall.avg_duration_sec)],
      [contents, this.#number(overall.unique_content)],
      [screens, this.#number(overall.unique_devices)],
    ];
    this.#paper.rule(this.#y);
    let x: number = PAGE.margin;
    totals.forEach(([name, text], i) => {
      const width = INNER * TOTALS[i]!;
      this.#paper.text(name, x, this.#y + 12, { size: 8, color: SOFT, width: width - 8 });
      this.#paper.text(text, x, this.#y + 25, { size: 14, isBold: true, width: width - 8 });
      x += width;
    });
    this.#paper.rule(this.#y + 54);
    this.#y += 74;
  }

  /** By day, each day of the period; by month where those are too many. */
  #chart(byDay: Summary['by_day']): void {
    const bars = this.#bars(byDay);
    if (bars.length < 2) return;
    this.#heading(bars[0]!.isMonth ? this.#words.byMonth : this.#words.byDay);
    const most = roundTop(bars.reduce((max, { plays }) => Math.max(max, plays), 1));
    const left = PAGE.margin + 44;
    const step = (PAGE.margin + INNER - left) / bars.length;
    for (const part of [0, 0.5, 1]) {
      const y = this.#y + CHART * (1 - part);
      this.#paper.doc
        .moveTo(left, y)
        .lineTo(PAGE.margin + INNER, y)
        .lineWidth(0.5)
        .strokeColor(LINE)
        .stroke();
      this.#paper.text(this.#number(Math.round(most * part)), PAGE.margin, y - 5, {
        size: 7.5,
        color: SOFT,
        width: 38,
        align: 'right',
      });
    }
    const each = Math.ceil(bars.length / 8);
    bars.forEach(({ plays, short }, i) => {
      const height = (CHART * plays) / most;
      this.#paper.bar(left + i * step + step * 0.14, this.#y + CHART - height, step * 0.72, height, ACCENT);
      if (i % each === 0) this.#paper.text(short, left + i * step, this.#y + CHART + 5, { size: 7.5, color: SOFT });
    });
    this.#y += CHART + 30;
  }

  #bars(byDay: Summary['by_day']): { plays: number; short: string; isMonth: boolean }[] {
    const [first, last] = [parseDate(this.#facts.from), parseDate(this.#facts.to)];
    const isMonth = last - first + 1 > MAX_DAYS;
    const write = new Intl.DateTimeFormat(this.#facts.language, {
      timeZone: 'UTC',
      ...(isMonth ? { month: 'short', year: '2-digit' } : { day: 'numeric', month: 'short' }),
    });
    const plays = new Map(byDay.map((row) => [parseDate(row.day), row.plays]));
    const bars: { plays: number; short: string; isMonth: boolean; month: string }[] = [];
    for (let day = first; day <= last; day++) {
      const date = new Date(day * DAY_MS);
      const month = date.toISOString().slice(0, 7);
      const bar = bars.at(-1);
      if (isMonth && bar?.month === month) bar.plays += plays.get(day) ?? 0;
      else bars.push({ plays: plays.get(day) ?? 0, short: write.format(date), isMonth, month });
    }
    return bars;
  }

  #table(name: string, rows: readonly Row[]): void {
    const { plays, time, share, more } = this.#words;
    const total = rows.reduce((sum, row) => sum + row.plays, 0);
    const right = PAGE.margin + INNER;
    const columns = { plays: right - 300, time: right - 220, share: right - 110 };
    const head = () => {
      const style = { size: 8, color: SOFT, align: 'right' } as const;
      this.#paper.text(name, PAGE.margin, this.#y, { size: 8, color: SOFT });
      this.#paper.text(plays, columns.plays, this.#y, { ...style, width: 70 });
      this.#paper.text(time, columns.time, this.#y, { ...style, width: 100 });
      this.#paper.text(share, columns.share, this.#y, { ...style, width: 110 });
      this.#y += 13;
      this.#paper.rule(this.#y);
      this.#y += 5;
    };
    this.#need(3 * ROW + 40);
    head();
    for (const row of rows.slice(0, MAX_ROWS)) {
      if (this.#need(ROW)) head();
      const part = row.plays / total;
      this.#paper.text(row.name, PAGE.margin, this.#y, { width: columns.plays - PAGE.margin - 4 });
      this.#paper.text(this.#number(row.plays), columns.plays, this.#y, { width: 70, align: 'right' });
      this.#paper.text(this.#span(row.total_seconds), columns.time, this.#y, { width: 100, align: 'right' });
      // Of the whole, as the number beside it says.
      this.#paper.bar(columns.share + 14, this.#y + 3, 52, 5, LINE);
      this.#paper.bar(columns.share + 14, this.#y + 3, 52 * part, 5, ACCENT);
      this.#paper.text(this.#percent(part), columns.share, this.#y, { width: 110, align: 'right' });
      this.#y += ROW;
    }
    if (rows.length > MAX_ROWS) this.#say(more(this.#number(rows.length - MAX_ROWS)));
    this.#y += 16;
  }

  #heading(text: string): void {
    this.#need(CHART + 60);
    this.#paper.text(text, PAGE.margin, this.#y, { size: 10, isBold: true });
    this.#y += 24;
  }

  #say(text: string): void {
    this.#need(30);
    this.#y = this.#paper.paragraph(text, PAGE.margin, this.#y, { width: INNER, size: 8, color: SOFT }) + 4;
  }

  /** Begins another page where less than `height` is left. Returns whether it did. */
  #need(height: number): boolean {
    if (this.#y + height <= BOTTOM) return false;
    this.#paper.doc.addPage();
    this.#y = PAGE.margin;
    return true;
  }

  #numberPages(): void {
    const { doc } = this.#paper;
    const { count } = doc.bufferedPageRange();
    for (let i = 0; i < count; i++) {
      doc.switchToPage(i);
      const y = PAGE.height - PAGE.margin + 4;
      const style = { size: 8, color: SOFT };
      this.#paper.text(this.#facts.store, PAGE.margin, y, { ...style, width: INNER - 100 });
      this.#paper.text(this.#words.page(i + 1, count), PAGE.margin, y, { ...style, width: INNER, align: 'right' });
    }
  }

  #number(value: number): string {
    return new Intl.NumberFormat(this.#facts.language).format(value);
  }

  #percent(value: number): string {
    const format = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(this.#facts.language, format).format(value);
  }

  /** In the largest unit that says it, and the next: 12 h 5 min. */
  #span(seconds: number): string {
    const { units } = this.#words;
    const whole = Math.round(seconds);
    if (whole >= 3600) {
      const minutes = Math.floor((whole % 3600) / 60);
      return `${this.#number(Math.floor(whole / 3600))} ${units.hours}${minutes > 0 ? ` ${minutes} ${units.minutes}` : ''}`;
    }
    if (whole < 60) return `${whole} ${units.seconds}`;
    return `${Math.floor(whole / 60)} ${units.minutes}${whole % 60 > 0 ? ` ${whole % 60} ${units.seconds}` : ''}`;
  }

  #days(from: string, to: string): string {
    const format = new Intl.DateTimeFormat(this.#facts.language, { dateStyle: 'long', timeZone: 'UTC' });
    return format.formatRange(parseDate(from) * DAY_MS, parseDate(to) * DAY_MS);
  }
}
