/** Preloaded into the server under test: answers over IPC with values that only the process itself can measure. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

// The monitor wakes the process a thousand times per second, so it runs only on request.
const delay = monitorEventLoopDelay({ resolution: 1 });

process.on('message', (question) => {
  if (question === 'watch') {
    delay.reset();
    delay.enable();
  }
  if (question === 'collect') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({
    rss,
    held: heapUsed + external,
    cpuMs: (user + system) / 1000,
    // Subtracts the monitor's own period of 1 ms, which is part of every reading.
    loopP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 1),
    loopMaxMs: Math.max(0, delay.max / 1e6 - 1),
  });
  if (question === 'facts') delay.disable();
});
process.channel?.unref();
