import { type ServerOptions, WebSocketServer } from 'ws';

/** WebSocket server for admin windows, which send only small messages. Waits up to 2 s for the closing handshake. */
export const windowSockets = (): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    perMessageDeflate: false,
    clientTracking: false,
    closeTimeout: 2_000,
  } as ServerOptions);
