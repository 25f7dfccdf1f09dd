/** Preloaded into the server under test: answers over IPC what only the process itself knows. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

// It wakes the process a thousand times a second, and so runs only while it is asked for.
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
    // The monitor's own period of 1 ms is in every reading.
    loopP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 1),
    loopMaxMs: Math.max(0, delay.max / 1e6 - 1),
  });
  if (question === 'facts') delay.disable();
});
process.channel?.unref();
