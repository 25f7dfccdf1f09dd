/**
 * Draws the report for customers: one to a few A4 pages. Runs in the reports' thread. Its length is limited, so that a
 * year of 10,000 contents does not fill hundreds of pages.
 */
import type { Delivery, ReportLanguage, Summary } from '../../../../shared/contract/server/reports.ts';
import { contrastOf, MIN_CONTRAST, mixed } from '../../../../shared/design/contrast.ts';
import { DAY_MS, parseDate } from '../../../../shared/program/civil.ts';
import { Figures, type Row } from './figures.ts';
import { ACCENT, BOTTOM, INK, INNER, LINE, PAGE, Paper, PLANNED, SOFT, type TextStyle } from './paper.ts';
import { type ReportWords, reportWords } from './report-words.ts';

/** The English texts are British, like in the admin window and in e-mails. */
const LOCALES: Readonly<Record<ReportLanguage, string>> = { en: 'en-GB', de: 'de-DE' };

/** Maximum rows of each table, about three pages. The rows with the most plays are shown. */
const MAX_ROWS = 120;
/** Maximum number of bars by day. Longer periods are drawn by month. */
const MAX_DAYS = 62;
const ROW = 17;
/** Line height of a name that takes two lines. */
const NAME_LINE = 11.5;
const CHART = 100;
/** Maximum number of screens for which missing plays are explained. */
const MAX_MISSING = 8;
const WHITE = '#FFFFFF';
/** Box for the logo, in points. */
const LOGO = { width: 130, height: 46 };

/**
 * Column widths as parts of the total: plays, time, average, contents, screens. DELIVERED_TOTALS also has a first
 * column for the delivered share, and is used when plans are known.
 */
const TOTALS = [0.2, 0.28, 0.22, 0.15, 0.15];
const DELIVERED_TOTALS = [0.2, 0.24, 0.28, 0.14, 0.14];

/** Facts about a report in addition to its numbers. */
export interface ReportFacts {
  readonly language: ReportLanguage;
  /** @default the words for proof of play */
  readonly title: string | undefined;
  /** Name of the workspace. */
  readonly store: string;
  /** Main colour of the workspace's brand; absent: the colour of Vitrine. */
  readonly color?: string;
  /** Days in `zone`, YYYY-MM-DD, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** Filters of the report, by name. */
  readonly filters: readonly { readonly kind: string; readonly names: readonly string[] }[];
  /** Time of the report in epoch milliseconds. */
  readonly now: number;
}

interface Bar {
  readonly short: string;
  readonly month: string;
  plays: number;
  planned: number;
}

/**
 * @param more.start start of the period, epoch milliseconds
 * @param more.hasDay whether the plan of a whole day is known
 * @param more.signatures number of signatures of screens for the plays
 * @param more.logo PNG
 */
export const reportPdf = async (
  facts: ReportFacts,
  summary: Summary,
  more: { planned: Delivery; start: number; hasDay: boolean; signatures: number; logo: Buffer | undefined },
): Promise<Buffer> => {
  // A large module that only this function needs.
  const { default: PDFDocument } = await import('pdfkit');
  const words = reportWords[facts.language];
  const doc = new PDFDocument({
    size: 'A4',
    // No automatic page breaks: all positions are absolute.
    margin: 0,
    bufferPages: true,
    // The built-in font only has Latin-1.
    font: null as unknown as string,
    lang: facts.language,
    info: { Title: facts.title ?? words.title, Author: facts.store, CreationDate: new Date(facts.now) },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  const { planned, start, hasDay, signatures, logo } = more;
  const figures = new Figures(summary, planned, start, hasDay);
  new ReportPages(new Paper(doc), facts, words).draw(figures, { signatures, logo });
  doc.end();
  await done;
  return Buffer.concat(chunks);
};

/** Rounds up to a multiple of a fifth of the value's power of ten, at least 2: 35 becomes 36, and 345 becomes 360. */
const roundTop = (value: number): number => {
  const step = Math.max(2, 10 ** Math.floor(Math.log10(value)) / 5);
  return Math.ceil(value / step) * step;
};

/** Share of white in the colour of planned plays. */
const PLANNED_SHARE = 0.77;

/** Returns the colours of figures and bars. A colour of a brand that is too light for figures on paper is not used. */
const colorsOf = (color: string | undefined): { readonly accent: string; readonly planned: string } =>
  color !== undefined && contrastOf(color, WHITE) >= MIN_CONTRAST
    ? { accent: color, planned: mixed(color, WHITE, PLANNED_SHARE) }
    : { accent: ACCENT, planned: PLANNED };

class ReportPages {
  readonly #paper: Paper;
  readonly #facts: ReportFacts;
  readonly #words: ReportWords;
  readonly #colors: ReturnType<typeof colorsOf>;
  #y: number = PAGE.margin;

  constructor(paper: Paper, facts: ReportFacts, words: ReportWords) {
    this.#paper = paper;
    this.#facts = facts;
    this.#words = words;
    this.#colors = colorsOf(facts.color);
  }

  draw(figures: Figures, { signatures, logo }: { signatures: number; logo: Buffer | undefined }): void {
    const { content, screen, nothing, proof, made, deliveredMeans, tooEarly, unknownUntil } = this.#words;
    const isEmpty = figures.summary.overall.total_plays === 0 && !figures.planned;
    this.#head(logo);
    this.#totals(figures);
    if (isEmpty) this.#say(nothing);
    else {
      this.#chart(figures);
      this.#table(content, figures.contents);
      this.#table(screen, figures.screens);
      this.#missing(figures);
    }
    this.#need(60);
    this.#say(
      [
        figures.knownFrom !== undefined && unknownUntil(this.#moment(figures.knownFrom * 1000)),
        figures.isTooEarly && tooEarly,
        figures.delivered !== null && deliveredMeans,
        signatures > 0 && proof(this.#number(signatures)),
        made(this.#moment(this.#facts.now), this.#facts.zone.replaceAll('_', ' ')),
      ]
        .filter((sentence) => sentence !== false)
        .join(' '),
    );
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

  #totals(figures: Figures): void {
    const { plays, time, contents, screens, average, delivered, ofPlanned } = this.#words;
    const { overall } = figures.summary;
    const { planned } = figures;
    const isKnown = figures.delivered !== null || figures.isTooEarly;
    const share = figures.delivered === null ? '–' : this.#percent(figures.delivered / 100);
    const totals: [name: string, text: string, more?: string | undefined][] = [
      ...(isKnown ? [[delivered, share] as [string, string]] : []),
      [plays, this.#number(overall.total_plays), planned && ofPlanned(this.#number(planned.planned_plays))],
      [time, this.#span(overall.total_seconds), planned && ofPlanned(this.#span(planned.planned_seconds))],
      ...(isKnown ? [] : [[average, this.#span(overall.avg_duration_sec)] as [string, string]]),
      [contents, this.#number(overall.unique_content)],
      [screens, this.#number(overall.unique_devices)],
    ];
    const height = planned ? 66 : 54;
    this.#paper.rule(this.#y);
    let x: number = PAGE.margin;
    totals.forEach(([name, text, more], i) => {
      const width = INNER * (isKnown ? DELIVERED_TOTALS : TOTALS)[i]!;
      this.#paper.text(name, x, this.#y + 12, { size: 8, color: SOFT, width: width - 8 });
      const color = isKnown && i === 0 ? this.#colors.accent : INK;
      this.#paper.text(text, x, this.#y + 25, { size: 14, isBold: true, isFigure: true, color, width: width - 8 });
      if (more) this.#paper.text(more, x, this.#y + 45, { size: 8, color: SOFT, width: width - 8 });
      x += width;
    });
    this.#paper.rule(this.#y + height);
    this.#y += height + 20;
  }

  /**
   * Draws bars by day for each day of the period, or by month when there are too many days. The bars of planned plays
   * are drawn behind.
   */
  #chart(figures: Figures): void {
    const bars = this.#bars(figures.days);
    if (bars.length < 2) return;
    this.#need(CHART + 60);
    const isMonth = bars.length < this.#dayCount();
    this.#paper.text(isMonth ? this.#words.byMonth : this.#words.byDay, PAGE.margin, this.#y, {
      size: 10,
      isBold: true,
    });
    if (figures.planned) this.#legend();
    this.#y += 24;
    const most = roundTop(bars.reduce((max, { plays, planned }) => Math.max(max, plays, planned), 1));
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
    bars.forEach(({ plays, planned, short }, i) => {
      const [x, width] = [left + i * step + step * 0.14, step * 0.72];
      for (const [value, color] of [
        [planned, this.#colors.planned],
        [plays, this.#colors.accent],
      ] as const) {
        const height = (CHART * value) / most;
        this.#paper.bar(x, this.#y + CHART - height, width, height, color);
      }
      if (i % each === 0) this.#paper.text(short, left + i * step, this.#y + CHART + 5, { size: 7.5, color: SOFT });
    });
    this.#y += CHART + 30;
  }

  /** Draws the legend at the right of the chart's heading. */
  #legend(): void {
    let x: number = PAGE.margin + INNER;
    for (const [text, color] of [
      [this.#words.planned, this.#colors.planned],
      [this.#words.shown, this.#colors.accent],
    ] as const) {
      const width = this.#paper.width(text, 8);
      this.#paper.text(text, x - width, this.#y + 2, { size: 8, color: SOFT });
      this.#paper.bar(x - width - 12, this.#y + 3, 8, 8, color);
      x -= width + 26;
    }
  }

  #dayCount(): number {
    return parseDate(this.#facts.to) - parseDate(this.#facts.from) + 1;
  }

  #bars(days: Figures['days']): Bar[] {
    const [first, last] = [parseDate(this.#facts.from), parseDate(this.#facts.to)];
    const isMonth = this.#dayCount() > MAX_DAYS;
    const write = new Intl.DateTimeFormat(LOCALES[this.#facts.language], {
      timeZone: 'UTC',
      ...(isMonth ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' }),
    });
    const sums = new Map(days.map((row) => [parseDate(row.day), row]));
    const bars: Bar[] = [];
    for (let day = first; day <= last; day++) {
      const date = new Date(day * DAY_MS);
      const month = date.toISOString().slice(0, 7);
      const { plays = 0, planned_plays: planned = 0 } = sums.get(day) ?? {};
      const bar = bars.at(-1);
      if (isMonth && bar?.month === month) {
        bar.plays += plays;
        bar.planned += planned;
      } else bars.push({ plays, planned, short: write.format(date), month });
    }
    return bars;
  }

  /**
   * Draws a table with planned plays and the delivered share when plans are known, else with each row's share of the
   * total.
   */
  #table(name: string, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const { planned, plays, tableTime, share, delivered, more } = this.#words;
    const total = rows.reduce((sum, row) => sum + row.plays, 0);
    const right = PAGE.margin + INNER;
    const [hasPlanned, isKnown] = [rows[0]!.planned !== undefined, rows[0]!.delivered !== undefined];
    const columns = { planned: right - 284, plays: right - 230, time: right - 172, share: right - 96 };
    const widths = { planned: 50, plays: 54, time: 76, share: 96 };
    const nameWidth = (hasPlanned ? columns.planned : columns.plays) - PAGE.margin - 6;
    const cell = (column: keyof typeof columns, text: string, style: TextStyle = {}) =>
      this.#paper.text(text, columns[column], this.#y, {
        width: widths[column],
        align: 'right',
        isFigure: true,
        ...style,
      });
    const head = () => {
      const style = { size: 8, color: SOFT };
      this.#paper.text(name, PAGE.margin, this.#y, style);
      if (hasPlanned) cell('planned', planned, style);
      cell('plays', plays, style);
      cell('time', tableTime, style);
      cell('share', isKnown ? delivered : share, style);
      this.#y += 13;
      this.#paper.rule(this.#y);
      this.#y += 5;
    };
    this.#need(3 * ROW + 40);
    head();
    for (const row of rows.slice(0, MAX_ROWS)) {
      const lines = this.#paper.lines(row.name, { width: nameWidth, most: 2 });
      const height = ROW + (lines.length - 1) * NAME_LINE;
      if (this.#need(height)) head();
      const part = isKnown ? (row.delivered === null ? null : row.delivered! / 100) : row.plays / Math.max(1, total);
      for (const [i, line] of lines.entries())
        this.#paper.text(line, PAGE.margin, this.#y + i * NAME_LINE, { width: nameWidth });
      if (row.planned !== undefined) cell('planned', this.#number(row.planned));
      cell('plays', this.#number(row.plays));
      cell('time', this.#span(row.total_seconds));
      if (part === null) cell('share', '–', { color: SOFT });
      else {
        // The bar shows the share of the total, like the number beside it.
        this.#paper.bar(columns.share + 12, this.#y + 3, 42, 5, LINE);
        this.#paper.bar(columns.share + 12, this.#y + 3, 42 * part, 5, this.#colors.accent);
        cell('share', this.#percent(part));
      }
      this.#y += height;
    }
    if (rows.length > MAX_ROWS) this.#say(more(this.#number(rows.length - MAX_ROWS)));
    this.#y += 16;
  }

  /** Explains why screens showed less than planned, as far as it is known. */
  #missing({ shortfalls }: Figures): void {
    if (shortfalls.length === 0) return;
    this.#need(60);
    this.#heading(this.#words.missing);
    for (const row of shortfalls.slice(0, MAX_MISSING))
      for (const text of this.#reasons(row))
        this.#y = this.#paper.paragraph(text, PAGE.margin, this.#y, { width: INNER }) + 2;
    if (shortfalls.length > MAX_MISSING) this.#say(this.#words.more(this.#number(shortfalls.length - MAX_MISSING)));
    this.#y += 14;
  }

  #reasons(row: Delivery['shortfalls'][number]): string[] {
    const { why } = this.#words;
    const { device_name: screen } = row;
    const day = (at: number) => this.#day(at * 1000);
    const reasons = [
      ...(row.off_seconds > 0 ? [why.off(screen, this.#span(row.off_seconds))] : []),
      ...(row.off_since === null ? [] : [why.offSince(screen, this.#moment(row.off_since * 1000))]),
      ...(row.program_seconds > 0 ? [why.program(screen, this.#span(row.program_seconds))] : []),
      ...(row.faults > 0 ? [why.faults(screen)] : []),
      ...(row.added_at === null ? [] : [why.added(screen, day(row.added_at))]),
      ...(row.removed_at === null ? [] : [why.removed(screen, day(row.removed_at))]),
    ];
    return reasons.length > 0 ? reasons : [why.unknown(screen, this.#span(row.missing_seconds))];
  }

  #heading(text: string): void {
    this.#paper.text(text, PAGE.margin, this.#y, { size: 10, isBold: true });
    this.#y += 20;
  }

  #say(text: string): void {
    this.#need(30);
    this.#y = this.#paper.paragraph(text, PAGE.margin, this.#y, { width: INNER, size: 8, color: SOFT }) + 4;
  }

  /** Begins a new page when less than `height` is left. Returns whether a page was begun. */
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

  /** Formats a duration in the two largest units: 12 h 5 min. */
  #span(seconds: number): string {
    const { units } = this.#words;
    const whole = Math.round(seconds);
    if (whole >= 3600) {
      // Above a thousand hours minutes do not matter, and columns have no room for them.
      const minutes = whole < 3_600_000 ? Math.floor((whole % 3600) / 60) : 0;
      return `${this.#number(Math.floor(whole / 3600))} ${units.hours}${minutes > 0 ? ` ${minutes} ${units.minutes}` : ''}`;
    }
    if (whole < 60) return `${whole} ${units.seconds}`;
    return `${Math.floor(whole / 60)} ${units.minutes}${whole % 60 > 0 ? ` ${whole % 60} ${units.seconds}` : ''}`;
  }

  #moment(instant: number): string {
    return this.#written(instant, { dateStyle: 'long', timeStyle: 'short' });
  }

  #day(instant: number): string {
    return this.#written(instant, { dateStyle: 'long' });
  }

  #written(instant: number, style: Intl.DateTimeFormatOptions): string {
    const { language, zone } = this.#facts;
    return new Intl.DateTimeFormat(LOCALES[language], { ...style, timeZone: zone }).format(instant);
  }

  #days(from: string, to: string): string {
    const format = new Intl.DateTimeFormat(LOCALES[this.#facts.language], { dateStyle: 'long', timeZone: 'UTC' });
    return format.formatRange(parseDate(from) * DAY_MS, parseDate(to) * DAY_MS);
  }
}
