import { exportPlays, listPlays, reportPdf, reportUptime, summarizePlays } from '../../../shared/contract/reports.ts';
import { type Bound, bind, RawJson, Reply } from '../../http/api.ts';
import { type Answer, bytesOf } from './report-tasks.ts';
import type { ReportsService } from './reports.service.ts';
import { sendExport } from './send-export.ts';

const ready = (answer: Answer): RawJson =>
  new RawJson(bytesOf(answer), answer.total === undefined ? {} : { total: answer.total });

export const reportRoutes = (service: ReportsService): Bound[] => [
  bind(listPlays, async ({ actor, query }) => {
    const answer = await service.plays(actor, query);
    return 'rows' in answer ? new Reply(answer.rows, { total: answer.total }) : ready(answer);
  }),
  bind(summarizePlays, async ({ actor, query }) => ready(await service.summary(actor, query))),
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
  bind(reportUptime, async ({ actor, query }) => ready(await service.uptime(actor, query))),
];
