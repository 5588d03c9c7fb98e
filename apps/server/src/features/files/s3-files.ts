import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { S3mini, S3NetworkError, S3ServiceError } from "s3mini";
import { ConfigError } from "../../platform/config.ts";
import type { S3Settings } from "../../platform/s3-settings.ts";
import { FilesOutOfReach, type SealedFiles } from "./sealed-files.ts";

/** Larger files are sent in parts of this size, to keep memory bounded. S3 requires 5 MiB for all parts except the last. */
const PART_BYTES = 8 * 1024 * 1024;
const REQUEST_MS_MAX = 60_000;
const TRIES = 3;
const NAMES_AT_ONCE = 1_000;

/**
 * Opens an S3 bucket by signed requests (AWS4-HMAC-SHA256). Tries every operation once. If one fails, throws a
 * `ConfigError` whose message says what to do.
 */
export async function openS3(settings: S3Settings): Promise<SealedFiles> {
  const common = {
    endpoint: settings.url,
    region: settings.region,
    accessKeyId: settings.accessKey,
    secretAccessKey: settings.secretKey,
  };
  const bucket = new S3mini({ ...common, requestAbortTimeout: REQUEST_MS_MAX });
  // Reading may take long, since the person who downloads may have a slow connection.
  const patient = new S3mini(common);
  const files: SealedFiles = {
    async keep(name, path) {
      const file = await open(path);
      try {
        const { size } = await file.stat();
        await (size <= PART_BYTES ? putWhole(bucket, name, file, size) : putParts(bucket, name, file, size));
      } finally {
        await file.close();
      }
    },
    async *read(name) {
      const answer = await patient.getObjectResponse(name);
      if (!answer?.body) throw new Error(`the bucket has no file ${name}`);
      for await (const part of answer.body as AsyncIterable<Uint8Array>) {
        yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      }
    },
    async remove(name) {
      await inTries(() => bucket.deleteObject(name));
    },
    async *names(after) {
      let next: string | undefined;
      do {
        const page = await inTries(() =>
          bucket.listObjectsPaged("/", "", NAMES_AT_ONCE, next, { "start-after": after }),
        );
        for (const { Key } of page?.objects ?? []) yield Key;
        next = page?.nextContinuationToken;
      } while (next !== undefined);
    },
  };
  await checkBucket(bucket, settings);
  return files;
}

async function putWhole(bucket: S3mini, name: string, file: FileHandle, size: number): Promise<void> {
  const content = await readPart(file, 0, size);
  await inTries(() => bucket.putObject(name, content));
}

/** Sends one part at a time. If a part fails for good, the parts already sent are given up. */
async function putParts(bucket: S3mini, name: string, file: FileHandle, size: number): Promise<void> {
  const uploadId = await inTries(() => bucket.getMultipartUploadId(name));
  try {
    const parts: { partNumber: number; etag: string }[] = [];
    for (let at = 0; at < size; at += PART_BYTES) {
      const content = await readPart(file, at, Math.min(PART_BYTES, size - at));
      const partNumber = parts.length + 1;
      parts.push(await inTries(() => bucket.uploadPart(name, uploadId, content, partNumber)));
    }
    await inTries(() => bucket.completeMultipartUpload(name, uploadId, parts));
  } catch (fault) {
    await bucket.abortMultipartUpload(name, uploadId).catch(() => undefined);
    throw fault;
  }
}

async function readPart(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead !== bytes) throw new Error("a file became shorter while it was read");
  return buffer;
}

/**
 * Repeats a request after a failure of the network or the service. Throws `FilesOutOfReach` if they keep failing, and at once
 * if the service refuses. Only for requests that are safe to repeat.
 */
async function inTries<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (cause) {
      const refused = cause instanceof S3ServiceError && cause.status < 500 && cause.status !== 429;
      if (refused || tries === TRIES)
        throw new FilesOutOfReach("the bucket did not do what it was asked for", { cause });
      await wait(250 * 2 ** tries);
    }
  }
}

/** Writes, reads, lists and removes a small file, so that a missing permission shows at the start and not to a member. */
async function checkBucket(bucket: S3mini, settings: S3Settings): Promise<void> {
  const name = `check-${randomUUID()}`;
  const said = Buffer.from("Fairtick was here");
  try {
    await bucket.putObject(name, said);
    const answer = await bucket.getObjectArrayBuffer(name);
    if (answer === null || !Buffer.from(answer).equals(said)) throw new Error("it gave back something else");
    const listed = await bucket.listObjectsPaged("/", name, NAMES_AT_ONCE);
    if (listed?.objects?.length !== 1) throw new Error("it does not list what it was given");
    await bucket.deleteObject(name);
  } catch (fault) {
    throw new ConfigError(sentenceOf(fault, settings));
  }
}

function sentenceOf(fault: unknown, { url }: S3Settings): string {
  const instead = "Leave S3_URL out to keep members' files in DATA_DIR/files.";
  if (fault instanceof S3ServiceError) {
    const why = `${fault.status}${fault.serviceCode === undefined ? "" : `, ${fault.serviceCode}`}`;
    if (fault.status === 404)
      return `S3_URL: there is no bucket at ${url} (${why}). Make it, or mend the address. ${instead}`;
    if (fault.status === 403 || fault.status === 401) {
      return (
        `S3_URL: ${url} refuses the key (${why}). S3_ACCESS_KEY, S3_SECRET_KEY and S3_REGION are to be those of the ` +
        `bucket, the key is to list it and to read, write and remove its objects, and this machine's clock is to be right. ${instead}`
      );
    }
    return `S3_URL: ${url} answers ${why}. Look at its own log, then start again. ${instead}`;
  }
  return `S3_URL: nobody usable answers at ${url} (${causeOf(fault)}). Start it, or mend the address. ${instead}`;
}

function causeOf(fault: unknown): string | undefined {
  if (fault instanceof S3NetworkError) return fault.code;
  const said = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  return said instanceof Error ? said.message : String(said);
}
