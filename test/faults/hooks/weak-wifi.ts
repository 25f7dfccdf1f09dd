/** Replaces `player/agent/machine/hardware.worker.ts`: reports the readings of a machine with weak Wi-Fi. */
import { networkInterfaces } from 'node:os';

const names = Object.keys(networkInterfaces());
process.send?.({
  wireless: names,
  wifi: names.map((iface) => ({ iface, ssid: 'Shop', signalLevel: -88 })),
  battery: null,
  temperature: null,
  memory: null,
});
