/** Preloaded into the server under test: answers over IPC what only the process itself knows. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
// The machine's own timers are late as well; `reset` begins a stretch.
delay.enable();

process.on('message', (question) => {
  if (question === 'reset') delay.reset();
  if (question === 'collect') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({
    rss: process.memoryUsage.rss(),
    cpuMs: (user + system) / 1000,
    // The monitor's own period of 1 ms is in every reading.
    loopP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 1),
    loopMaxMs: Math.max(0, delay.max / 1e6 - 1),
  });
});
process.channel?.unref();
