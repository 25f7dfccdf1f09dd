/**
 * Returns a WebSocket text frame (RFC 6455, unmasked as from a server). Encoded once for all receivers and written as
 * one piece; `ws` would write header and payload separately for each receiver.
 */
export const textFrame = (text: string): Buffer => {
  const size = Buffer.byteLength(text);
  const head = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + size);
  frame[0] = 0x81;
  if (head === 2) frame[1] = size;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = 127;
    frame.writeUIntBE(0, 2, 4);
    frame.writeUInt32BE(size, 6);
  }
  frame.write(text, head);
  return frame;
};
