/** What the drivers of a machine say whose Wi-Fi is weak: `player/agent/hardware.worker.ts`, without the machine. */
import { networkInterfaces } from 'node:os';

const names = Object.keys(networkInterfaces());
process.send?.({
  wireless: names,
  wifi: names.map((iface) => ({ iface, ssid: 'Shop', signalLevel: -88 })),
  battery: null,
  temperature: null,
  memory: null,
});
