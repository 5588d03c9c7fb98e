import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { accept, type ErrorName, type Refusal, refuse, type Verdict } from "@fairtick/domain";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";

/** A file as it arrived: unencrypted and under a name of ours. It is removed when the call is over. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  /** The name its sender gave it, at most 255 characters. It proves nothing, so features check the content. */
  readonly name: string;
}

const NAME_MAX = 255;

/** An uploaded form: its text fields and its file. */
export interface UploadedForm {
  readonly fields: Record<string, string>;
  readonly file: ReceivedFile | null;
}

export interface UploadRules {
  /** Folder for arriving files, created when the first one arrives. */
  readonly folder: string;
  readonly bytesMax: number;
  /** An upload fails if less than `PROGRESS_BYTES` arrive in this time. */
  readonly idleMsMax: number;
}

/** Bytes that have to arrive within `idleMsMax`. Otherwise a sender of one byte a minute could hold a socket for days. */
const PROGRESS_BYTES = 16 * 1024;
const FIELD_BYTES_MAX = 64 * 1024;
const PARTS_MAX = 30;

/**
 * Reads a `multipart/form-data` body. The file is written to the disk as it arrives, so that a hundred uploads take no more
 * memory than one. The media type given by the sender is ignored. Refuses FILE_TOO_LARGE[max], FILE_BROKEN for the field `file`
 * if the body ends too early, NOT_NOW after a minute without progress, and whatever `parseForm` refuses. The caller has to
 * remove the file (`discardUpload`).
 */
export async function receiveUpload(
  request: IncomingMessage,
  known: ReadonlySet<string>,
  rules: UploadRules,
): Promise<Verdict<UploadedForm>> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > rules.bytesMax + PARTS_MAX * FIELD_BYTES_MAX) return tooLarge(rules.bytesMax);
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fieldSize: FIELD_BYTES_MAX,
        fieldNameSize: 100,
        fields: PARTS_MAX,
        parts: PARTS_MAX,
        files: 2,
        fileSize: rules.bytesMax,
        headerPairs: 20,
      },
    });
  } catch {
    return refuse("FIELD_INVALID", { field: "file" }, { file: "FIELD_INVALID" });
  }
  await mkdir(rules.folder, { recursive: true, mode: 0o700 });
  const received = new Reception(rules);
  let taken = false;
  try {
    const verdict = await received.run(request, parser, known);
    taken = verdict.ok;
    return verdict;
  } finally {
    // The upload was refused or couldn't be written. Remove the file here, since no one else knows about it.
    if (!taken) await discardUpload(received.file);
  }
}

export async function discardUpload(file: ReceivedFile | null): Promise<void> {
  if (file !== null) await rm(file.path, { force: true });
}

function tooLarge(bytesMax: number): Verdict<never> {
  return refuse("FILE_TOO_LARGE", { max: `${Math.floor(bytesMax / 1024 / 1024)}MB` });
}

class Reception {
  file: ReceivedFile | null = null;
  readonly #rules: UploadRules;
  readonly #fields: Record<string, string> = {};
  readonly #broken: Record<string, ErrorName> = {};
  #refusal: Refusal | null = null;
  #written: Promise<void> = Promise.resolve();
  #breakOff: () => void = () => undefined;

  constructor(rules: UploadRules) {
    this.#rules = rules;
  }

  async run(
    request: IncomingMessage,
    parser: BusboyInstance,
    known: ReadonlySet<string>,
  ): Promise<Verdict<UploadedForm>> {
    const idle = Promise.withResolvers<never>();
    const timer = setTimeout(() => idle.reject(new Stalled()), this.#rules.idleMsMax);
    let arrived = 0;
    const onData = (part: Buffer) => {
      arrived += part.length;
      if (arrived < PROGRESS_BYTES) return;
      arrived = 0;
      timer.refresh();
    };
    request.on("data", onData);
    parser.on("field", (name, value, _nameTruncated, isTruncated) => {
      if (!known.has(name)) return;
      if (Object.hasOwn(this.#fields, name)) this.#broken[name] = "FIELD_REPEATED";
      else if (isTruncated) this.#broken[name] = "FIELD_TOO_LONG";
      this.#fields[name] = value;
    });
    parser.on("file", (name, content, fileName) => {
      if (name !== "file") content.resume();
      else if (this.file !== null) {
        this.#broken["file"] = "FIELD_REPEATED";
        content.resume();
      } else this.#take(content, fileName);
    });
    parser.on("filesLimit", () => {
      this.#broken["file"] = "FIELD_REPEATED";
    });
    for (const limit of ["partsLimit", "fieldsLimit"] as const)
      parser.on(limit, () => {
        this.#refusal ??= { error: "FIELD_INVALID", params: { field: "" } };
      });
    try {
      await Promise.race([whole(request, parser), idle.promise]);
      await this.#written;
    } catch (fault) {
      this.#breakOff();
      if (fault instanceof NotWritten) throw fault.cause;
      if (this.#refusal !== null) return { ok: false, refusal: this.#refusal };
      return fault instanceof Stalled ? refuse("NOT_NOW") : refuse("FILE_BROKEN", undefined, { file: "FILE_BROKEN" });
    } finally {
      clearTimeout(timer);
      request.off("data", onData);
      request.unpipe(parser);
      // Read and discard the rest, so that the answer reaches a browser that is still sending.
      request.resume();
      if (!request.complete) endSoon(request, this.#rules.idleMsMax);
      await this.#written.catch(() => undefined);
    }
    if (this.#refusal !== null) return { ok: false, refusal: this.#refusal };
    const [first] = Object.entries(this.#broken);
    if (first) return refuse(first[1], { field: first[0] }, this.#broken);
    return accept({ fields: this.#fields, file: this.file });
  }

  #take(content: Readable, name: string | undefined): void {
    const path = join(this.#rules.folder, randomUUID());
    const file = { path, bytes: 0, name: (name ?? "").slice(0, NAME_MAX) };
    this.file = file;
    const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
    content.on("data", (part: Buffer) => {
      file.bytes += part.length;
    });
    content.on("limit", () => {
      const { refusal } = tooLarge(this.#rules.bytesMax) as { refusal: Refusal };
      this.#refusal ??= refusal;
      content.resume();
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#written = promise;
    // If the body breaks off, its file's stream ends in an error. The written part is removed with the refusal.
    content.on("error", () => target.end());
    target.on("error", (cause) => reject(new NotWritten(cause)));
    target.on("close", () => resolve());
    // A sender that went away or fell silent never ends the file's stream, so it has to be ended here.
    this.#breakOff = () => {
      content.unpipe(target);
      content.resume();
      target.destroy();
    };
    content.pipe(target);
    this.#written.catch(() => content.resume());
  }
}

/** Thrown if the disk failed, which isn't the sender's fault. */
class NotWritten extends Error {
  override readonly cause: unknown;
  constructor(cause: unknown) {
    super("an upload could not be written");
    this.cause = cause;
  }
}

class Stalled extends Error {}

/** Ends a refused request after some time, so that the answer can reach the sender first. */
function endSoon(request: IncomingMessage, afterMs: number): void {
  const timer = setTimeout(() => request.destroy(), afterMs).unref();
  request.once("close", () => clearTimeout(timer));
}

/** Resolves when the form has been read to its end. */
function whole(request: IncomingMessage, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once("finish", resolve);
    parser.once("error", reject);
    request.once("aborted", () => reject(new Error("the sender went away")));
    request.once("error", reject);
    request.pipe(parser);
  });
}
