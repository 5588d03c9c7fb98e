import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { compressOnce, type ContentEncoding, encodingFor } from "./content-encoding.ts";
import { pagePolicy } from "./security-headers.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mp3": "audio/mpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const SOURCE_MAP = ".map";
const COMPRESSIBLE = /^(?:text\/|image\/svg|application\/(?:json|manifest))/;
/** Vite puts a hash of the content into these names, so the files never change. */
const HASHED = /^\/assets\/[^/]+-[A-Za-z0-9_-]{8}\.[a-z0-9.]+$/;

interface StaticFile {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
  readonly policy: string | null;
  /** Compressed bytes by encoding, made at the first request that accepts it. */
  readonly encoded: Map<string, Promise<Buffer>>;
}

/**
 * Serves a built app from memory. Hashed files may be cached forever; the page and the service worker are requested each time. A
 * missing folder serves nothing. Source maps are never served; they stay in the folder for reading stack traces.
 *
 * @param connect Origins besides its own that the app may call
 */
export function serveApp(app: FastifyInstance, folder: string, connect: readonly string[] = []): void {
  const files = readApp(folder, connect);
  for (const [path, file] of files)
    app.get(path, { exposeHeadRoute: true }, (request, reply) => sendFile(request, reply, file));
  const page = files.get("/index.html");
  if (page) app.get("/", (request, reply) => sendFile(request, reply, page));
}

/** Reads the files of a folder that `serveApp` serves, by path: `/index.html`. */
export function readServedFiles(folder: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return files;
    throw error;
  }
  for (const entry of entries) {
    if (!entry.isFile() || extname(entry.name) === SOURCE_MAP) continue;
    const full = join(entry.parentPath, entry.name);
    files.set(`/${relative(folder, full).split(sep).join("/")}`, readFileSync(full));
  }
  return files;
}

function readApp(folder: string, connect: readonly string[]): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const [path, body] of readServedFiles(folder)) {
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    files.set(path, {
      body,
      type,
      etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
      cacheControl: HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
      policy: type.startsWith("text/html") ? pagePolicy(body.toString(), connect) : null,
      encoded: new Map(),
    });
  }
  return files;
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): Promise<FastifyReply> {
  const encoding = COMPRESSIBLE.test(file.type) ? encodingFor(request.headers["accept-encoding"]) : null;
  const etag = encoding ? `${file.etag.slice(0, -1)}-${encoding}"` : file.etag;
  void reply.header("cache-control", file.cacheControl).header("etag", etag).header("vary", "accept-encoding");
  if (file.policy) void reply.header("content-security-policy", file.policy);
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  void reply.type(file.type);
  if (!encoding) return reply.send(file.body);
  return reply.header("content-encoding", encoding).send(await encode(file, encoding));
}

function encode(file: StaticFile, encoding: ContentEncoding): Promise<Buffer> {
  const known = file.encoded.get(encoding);
  if (known) return known;
  const made = compressOnce(file.body, encoding);
  file.encoded.set(encoding, made);
  return made;
}
