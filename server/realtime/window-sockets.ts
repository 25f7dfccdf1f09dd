import { type ServerOptions, WebSocketServer } from 'ws';

/** Sockets of admin windows, which say hardly anything. A farewell that is not answered is waited for 2 s. */
export const windowSockets = (): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    perMessageDeflate: false,
    clientTracking: false,
    closeTimeout: 2_000,
  } as ServerOptions);
