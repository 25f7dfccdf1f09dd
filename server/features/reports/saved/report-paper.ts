/**
 * Makes the PDF of a report from its figures, the number of signatures, and the store's logo. Runs in the reports'
 * thread.
 */

import { type ReportFacts, reportPdf } from '../pdf/report-pdf.ts';
import type { DeliveryQuestion, DeliveryReader } from '../planned/delivery-reader.ts';
import { hasKnownDay } from '../planned/known-day.ts';
import type { SealCountStore } from '../proof/seal-count.store.ts';
import type { ReportReader } from '../report-reader.ts';

export interface PaperQuestion extends DeliveryQuestion {
  readonly facts: ReportFacts;
  /** Path of a WebP picture that this server made. */
  readonly logo: string | undefined;
}

interface Deps {
  readonly reader: Pick<ReportReader, 'summary'>;
  readonly delivery: Pick<DeliveryReader, 'delivery'>;
  readonly seals: SealCountStore;
}

export class ReportPaper {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async make({ facts, logo, ...question }: PaperQuestion): Promise<Buffer> {
    const { reader, delivery, seals } = this.#deps;
    const summary = reader.summary(question);
    const devices = summary.by_device.map(({ device_id }) => device_id);
    const signatures = seals.count(question.workspaceId, devices, question);
    const planned = delivery.delivery(question);
    return reportPdf(facts, summary, {
      planned,
      start: question.start,
      hasDay: hasKnownDay(planned, question),
      signatures,
      logo: logo === undefined ? undefined : await toPng(logo),
    });
  }
}

/**
 * Converts the logo, because PDF does not support WebP. Returns undefined when the file is gone, and the report then
 * has no logo.
 */
const toPng = async (file: string): Promise<Buffer | undefined> => {
  const { default: sharp } = await import('sharp');
  return sharp(file)
    .png()
    .toBuffer()
    .catch(() => undefined);
};
