/** Serves `/metrics` for Prometheus. Nothing is loaded or measured before the first request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Gauge, Registry } from 'prom-client';
import type { Storage } from '../../shared/contract/server/upkeep.ts';
import { isFromHere } from '../http/hosts/client-address.ts';
import type { OutsideService } from '../kernel/outside-service.ts';
import { VERSION } from '../version.ts';

export interface Measured {
  readonly screensTotal: number;
  readonly screensOnline: number;
  /** Number of all plays ever received by this server. */
  readonly plays: number;
  readonly storage: Storage;
  /** Time of the newest backup in epoch seconds; 0 when there is none. */
  readonly lastBackupAt: number;
  readonly problems: number;
  /** End of the HTTPS certificate, in epoch seconds; null when there is none. */
  readonly certificateExpiresAt: number | null;
  /** Start of the server in epoch seconds. */
  readonly startedAt: number;
  /** External programs that headquarters uses (PostgreSQL, NATS). Empty for other servers. */
  readonly services: readonly OutsideService[];
}

const UP_HELP: Readonly<Record<OutsideService['name'], string>> = {
  postgres: 'Whether headquarters can use the database of plays (PostgreSQL)',
  hub: 'Whether headquarters is connected to the hub (nats-server)',
};

interface Deps {
  readonly open: boolean;
  readonly measure: () => Promise<Measured>;
}

export class Metrics {
  readonly #deps: Deps;
  #registry: Registry | undefined;
  readonly #gauges = new Map<string, Gauge<'name'>>();
  #delay: ReturnType<typeof monitorEventLoopDelay> | undefined;

  /** @param deps.open false: metrics are served only to this machine */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Answers a request for metrics. Returns false for any other request. */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    if ((req.url ?? '').split('?')[0] !== '/metrics') return false;
    void this.#answer(req, res).catch(() => res.writeHead(500).end());
    return true;
  }

  stop(): void {
    this.#delay?.disable();
    this.#delay = undefined;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!this.#deps.open && !isFromHere(req)) {
      res
        .writeHead(403, { 'Content-Type': 'application/json' })
        .end(
          JSON.stringify({ error: 'Metrics are for this computer only. VITRINE_METRICS=1 opens them to the network.' }),
        );
      return;
    }
    const registry = await this.#collect();
    const text = await registry.metrics();
    res
      .writeHead(200, {
        'Content-Type': registry.contentType,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      .end(req.method === 'HEAD' ? undefined : text);
  }

  async #collect(): Promise<Registry> {
    const client = await import('prom-client');
    const registry = (this.#registry ??= new client.Registry());
    const set = (name: string, help: string, value: number, labels?: { name: string }) => {
      const gauge =
        this.#gauges.get(name) ??
        new client.Gauge({ name, help, registers: [registry], labelNames: ['name'] as const });
      this.#gauges.set(name, gauge);
      if (labels) gauge.set(labels, value);
      else gauge.set(value);
    };
    const measured = await this.#deps.measure();
    const { storage } = measured;
    set('vitrine_info', 'Version of the server', 1, { name: VERSION });
    set('vitrine_start_time_seconds', 'When the server was started, epoch seconds', measured.startedAt);
    set('vitrine_screens', 'Screens that are paired', measured.screensTotal);
    set('vitrine_screens_online', 'Screens that are connected', measured.screensOnline);
    set('vitrine_plays_total', 'Plays taken in, ever', measured.plays);
    set('vitrine_database_bytes', 'Size of the database', storage.database_bytes);
    set('vitrine_media_bytes', 'Size of the stored media', storage.media_bytes);
    set('vitrine_disk_free_bytes', 'Free on the disk of the data folder', storage.free_bytes);
    set('vitrine_disk_bytes', 'Size of the disk of the data folder', storage.total_bytes);
    set(
      'vitrine_last_backup_time_seconds',
      'When the newest backup was made, epoch seconds; 0: none since the start',
      measured.lastBackupAt,
    );
    set('vitrine_problems', 'Problems that the status page shows', measured.problems);
    for (const { name, failure } of measured.services)
      set(`vitrine_${name}_up`, UP_HELP[name], failure === undefined ? 1 : 0);
    if (measured.certificateExpiresAt !== null)
      set(
        'vitrine_certificate_expiry_time_seconds',
        'When the certificate for HTTPS expires, epoch seconds',
        measured.certificateExpiresAt,
      );
    set('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss());
    const cpu = process.cpuUsage();
    set('process_cpu_seconds_total', 'Processor time, user and system', (cpu.user + cpu.system) / 1e6);
    this.#loopDelay(set);
    return registry;
  }

  /** Reports delays of the event loop since the last request. The first request reports none. */
  #loopDelay(set: (name: string, help: string, value: number) => void): void {
    if (!this.#delay) {
      this.#delay = monitorEventLoopDelay({ resolution: 10 });
      this.#delay.enable();
      return;
    }
    set(
      'vitrine_event_loop_delay_p99_seconds',
      'Delay of the event loop since the last scrape',
      this.#delay.percentile(99) / 1e9,
    );
    set('vitrine_event_loop_delay_max_seconds', 'Delay of the event loop since the last scrape', this.#delay.max / 1e9);
    this.#delay.reset();
  }
}
