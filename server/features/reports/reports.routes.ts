import { success } from '../../../shared/contract/fields.ts';
import {
  createSavedReport,
  deleteSavedReport,
  exportPlays,
  listPlays,
  listSavedReports,
  reportDelivery,
  reportPdf,
  reportUptime,
  summarizePlays,
  updateSavedReport,
} from '../../../shared/contract/server/reports.ts';
import { type Bound, bind, RawJson, Reply } from '../../http/api.ts';
import { sendExport } from './proof/send-export.ts';
import { type Answer, bytesOf } from './report-tasks.ts';
import type { ReportsService } from './reports.service.ts';
import type { SavedReportsService } from './saved/saved-reports.service.ts';

const ready = (answer: Answer): RawJson =>
  new RawJson(bytesOf(answer), answer.total === undefined ? {} : { total: answer.total });

export const reportRoutes = (service: ReportsService, saved: SavedReportsService): Bound[] => [
  bind(listPlays, async ({ actor, query }) => {
    const answer = await service.plays(actor, query);
    return 'rows' in answer ? new Reply(answer.rows, { total: answer.total }) : ready(answer);
  }),
  bind(summarizePlays, async ({ actor, query }) => ready(await service.summary(actor, query))),
  bind(reportDelivery, async ({ actor, query }) => ready(await service.delivery(actor, query))),
  bind(
    exportPlays,
    ({ actor, query, req, res }) => sendExport(req, res, service.export(actor, query)) as Promise<undefined>,
  ),
  bind(reportPdf, async ({ actor, query, res }) => {
    const { filename, bytes } = await service.paper(actor, query);
    res.writeHead(200, {
      'Content-Type': 'application/pdf',
      'Content-Length': bytes.length,
      'Content-Disposition': `attachment; filename="${filename}"`,
      'Cache-Control': 'no-store',
    });
    res.end(bytes);
    return undefined;
  }),
  bind(listSavedReports, ({ actor }) => saved.list(actor)),
  bind(createSavedReport, ({ actor, body }) => saved.create(actor, body)),
  bind(updateSavedReport, ({ actor, params, body }) => saved.update(actor, params.id, body)),
  bind(deleteSavedReport, ({ actor, params }) => {
    saved.delete(actor, params.id);
    return success;
  }),
  bind(reportUptime, async ({ actor, query }) => ready(await service.uptime(actor, query))),
];
