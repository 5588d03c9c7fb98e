import { crc32 } from "node:zlib";

/** A file of a tarball. */
export interface TarFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isProgram?: boolean;
}

const BLOCK = 512;
const STORED_MAX = 65_535;
/** The fixed time that npm gives every file: 26 October 1985. */
const WRITTEN_AT = 499_162_500;

/**
 * Returns a gzipped tar (POSIX ustar) with these files in this order. Its bytes are the same on every machine: times,
 * owners and modes are fixed, and nothing is compressed, since versions of a compressor can differ in their output.
 * Throws for a path longer than a header can hold.
 */
export function writeTarball(files: readonly TarFile[]): Buffer {
  const blocks = files.flatMap((file) => [headerOf(file), padded(file.bytes)]);
  return gzipStored(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

function headerOf({ path, bytes, isProgram = false }: TarFile): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar header`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(path, 0);
  header.write(octal(isProgram ? 0o755 : 0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(bytes.length, 11), 124);
  header.write(octal(WRITTEN_AT, 11), 136);
  // The checksum is computed with spaces in its own place.
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

function padded(bytes: Uint8Array): Buffer {
  const buffer = Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK);
  buffer.set(bytes);
  return buffer;
}

/** Wraps bytes in RFC 1952 (gzip) around stored blocks of RFC 1951. */
function gzipStored(bytes: Buffer): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])];
  for (let from = 0; from < bytes.length; from += STORED_MAX) {
    const held = bytes.subarray(from, from + STORED_MAX);
    const head = Buffer.alloc(5);
    head.writeUInt8(from + STORED_MAX >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(held.length, 1);
    head.writeUInt16LE(held.length ^ 0xffff, 3);
    parts.push(head, held);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(bytes), 0);
  end.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([...parts, end]);
}
