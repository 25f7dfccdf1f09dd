import { type ServerOptions, WebSocketServer } from 'ws';

/**
 * WebSocket server for admin windows, with a small maximum message size. At the stop, waits up to 2 s for the closing
 * handshakes.
 */
export const windowSockets = (): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    perMessageDeflate: false,
    clientTracking: false,
    closeTimeout: 2_000,
  } as ServerOptions);
