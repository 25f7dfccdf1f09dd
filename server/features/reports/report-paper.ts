/** A report on paper: its figures, what vouches for them, and the store's logo. Runs in the reports' thread. */
import { type ReportFacts, reportPdf } from './pdf/report-pdf.ts';
import type { ReportReader, SummaryQuestion } from './report-reader.ts';
import type { SealCountStore } from './seal-count.store.ts';

export interface PaperQuestion extends SummaryQuestion {
  readonly facts: ReportFacts;
  /** Path of a picture that this server made (WebP). */
  readonly logo: string | undefined;
}

export class ReportPaper {
  readonly #reader: ReportReader;
  readonly #seals: SealCountStore;

  constructor(reader: ReportReader, seals: SealCountStore) {
    this.#reader = reader;
    this.#seals = seals;
  }

  async make({ facts, logo, ...question }: PaperQuestion): Promise<Buffer> {
    const summary = this.#reader.summary(question);
    const devices = summary.by_device.map(({ device_id }) => device_id);
    const signatures = this.#seals.count(question.workspaceId, devices, question);
    return reportPdf(facts, summary, { signatures, logo: logo === undefined ? undefined : await toPng(logo) });
  }
}

/** PDFs know no WebP. Undefined: it is gone, and the report goes without. */
const toPng = async (file: string): Promise<Buffer | undefined> => {
  const { default: sharp } = await import('sharp');
  return sharp(file)
    .png()
    .toBuffer()
    .catch(() => undefined);
};
