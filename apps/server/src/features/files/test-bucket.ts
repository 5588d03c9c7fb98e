/**
 * An S3 server for tests: s3rver behind a proxy that checks each request's signature as AWS documents it and answers listings
 * itself. s3rver can't do either: it drops the slash at the end of a path, so that a listing's correct signature fails its
 * check, and its page tokens need a cipher that OpenSSL has removed.
 */
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";

const BUCKET = "members-files";
/** The account that s3rver knows. */
const KEY = { accessKey: "S3RVER", secretKey: "S3RVER", region: "eu-central-1" };

export interface SeenRequest {
  readonly method: string;
  readonly query: string;
  readonly bytes: number;
}

export interface TestBucket {
  readonly settings: typeof KEY & { readonly url: string };
  /** Every request since the last `forget`. */
  readonly requests: SeenRequest[];
  /** Set to answer a status instead of the real answer. */
  fail: ((request: IncomingMessage) => number | undefined) | undefined;
  /** Names of the objects. */
  names(): string[];
  /** Path of an object on the disk. */
  pathOf(name: string): string;
  close(): void;
}

const SUFFIX = "._S3rver_object";

export async function startTestBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), "fairtick-s3-"));
  const s3rver = new S3rver({
    directory,
    silent: true,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET }],
  });
  await s3rver.configureBuckets();
  const answer = s3rver.callback();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { method = "", headers } = request;
    const query = new URL(request.url ?? "", "http://x").search;
    bucket.requests.push({ method, query, bytes: Number(headers["content-length"] ?? 0) });
    const refuse = (status: number, code: string) => {
      request.resume();
      response.writeHead(status, { "x-amz-error-code": code }).end();
    };
    const failed = bucket.fail?.(request);
    const fault = signatureFault(request);
    if (failed !== undefined) refuse(failed, "InternalError");
    else if (fault !== null) refuse(403, fault);
    else if (method === "GET" && query.includes("list-type=2")) list(bucket.names(), query, response);
    else answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const bucket: TestBucket = {
    settings: { ...KEY, url: `http://127.0.0.1:${port}/${BUCKET}` },
    requests: [],
    fail: undefined,
    names: () =>
      readdirSync(join(directory, BUCKET))
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length)),
    pathOf: (name) => join(directory, BUCKET, `${name}${SUFFIX}`),
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return bucket;
}

/** The longest page of a listing, whatever was requested. S3 may return fewer names too, and then says that more follow. */
const NAMES_A_PAGE = 3;

function list(names: readonly string[], query: string, response: ServerResponse): void {
  const asked = new URLSearchParams(query);
  const after = asked.get("continuation-token") ?? asked.get("start-after") ?? "";
  const left = names
    .filter((name) => name > after && name.startsWith(asked.get("prefix") ?? ""))
    .sort((one, other) => (one < other ? -1 : 1));
  const shown = left.slice(0, Math.min(NAMES_A_PAGE, Number(asked.get("max-keys"))));
  const isTruncated = shown.length < left.length;
  const contents = shown.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join("");
  const next = isTruncated ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : "";
  response
    .writeHead(200, { "content-type": "application/xml" })
    .end(
      `<?xml version="1.0"?><ListBucketResult><KeyCount>${shown.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${contents}${next}</ListBucketResult>`,
    );
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const CLOCKS_DIFFER_MS_MAX = 15 * 60_000;

/** Returns S3's error for a request with an invalid signature; null if it is valid. */
// oxlint-disable-next-line complexity -- one line for each way in which a signature can be wrong
function signatureFault({ method = "", url = "", headers }: IncomingMessage): string | null {
  const parts = AUTHORIZATION.exec(headers.authorization ?? "");
  if (parts === null) return "AccessDenied";
  const [, accessKey = "", day = "", region = "", signed = "", signature = ""] = parts;
  if (accessKey !== KEY.accessKey) return "InvalidAccessKeyId";
  const at = String(headers["x-amz-date"]);
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!at.startsWith(day) || !(Math.abs(Date.now() - time) < CLOCKS_DIFFER_MS_MAX)) return "RequestTimeTooSkewed";
  const names = signed.split(";");
  if (!names.includes("host") || !names.includes("x-amz-date")) return "AccessDenied";
  const { pathname, searchParams } = new URL(url, "http://x");
  const query = [...searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
  const canonical = [
    method,
    pathname,
    query,
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signed,
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${at}\n${scope}\n${createHash("sha256").update(canonical).digest("hex")}`;
  const key = hmac(hmac(hmac(hmac(`AWS4${KEY.secretKey}`, day), KEY.region), "s3"), "aws4_request");
  return hmac(key, toSign).toString("hex") === signature ? null : "SignatureDoesNotMatch";
}
