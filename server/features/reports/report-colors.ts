/** Colours of PDF reports from the main colour of a brand. */
import { contrastOf, MIN_CONTRAST, mixed } from '../../../shared/design/brand.ts';
import type { ReportColors } from './pdf/report-pdf.ts';

const PAPER = '#FFFFFF';
/** Share of the paper in the colour of planned plays. */
const PLANNED_SHARE = 0.77;

/** Returns the colours of a report; undefined when the colour is too light for figures on paper. */
export const reportColors = (color: string): ReportColors | undefined =>
  contrastOf(color, PAPER) >= MIN_CONTRAST ? { accent: color, planned: mixed(color, PAPER, PLANNED_SHARE) } : undefined;
