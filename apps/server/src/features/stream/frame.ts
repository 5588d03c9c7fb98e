/**
 * Makes an unmasked WebSocket text frame (RFC 6455, 5.2) that can be written to any number of sockets. A price is thus encoded
 * once, however many clients watch it. Not for sockets with compression.
 */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headLength = headLengthOf(length);
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = 0x81;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headLength);
  return frame;
}

function headLengthOf(length: number): 2 | 4 | 10 {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}
