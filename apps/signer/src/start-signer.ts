import { timingSafeEqual, createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Clock, isLoopbackHost } from "@fairtick/domain";
import * as v from "valibot";
import { openJournal } from "./journal.ts";
import { payoutKey, readSeed, sweepKeys } from "./key.ts";
import {
  authorizeMessage,
  enrolMessage,
  retractMessage,
  revokeMessage,
  signMessage,
  sweepMessage,
} from "./messages.ts";
import type { SignerSettings } from "./settings.ts";
import { openSigner, type Signer } from "./signer.ts";
import { openSweeper, type Sweeper } from "./sweep.ts";

const BODY_BYTES_MAX = 64 * 1024;
const HOST = "127.0.0.1";
/**
 * Maximum number of connections. The server needs only a few; opening more, or silent ones, can't use up the journal's
 * file descriptors.
 */
const SOCKETS_MAX = 64;
const DEADLINES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

export interface RunningSigner {
  readonly url: string;
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Opens keys and journal and serves calls on the loopback address, one after another. `write` is how the journal writes
 * to its file; `onEnrolled` is called for each key that becomes trusted.
 */
export async function startSigner(
  settings: SignerSettings,
  clock: Pick<Clock, "now">,
  write?: (file: number, bytes: Uint8Array) => number,
  onEnrolled: (operator: string, keyId: string, isUnvouched: boolean) => void = () => undefined,
): Promise<RunningSigner> {
  const seed = readSeed(settings.folder);
  const account = payoutKey(seed);
  const tronAccount = payoutKey(seed, "tron");
  const journal = openJournal(settings.folder, write);
  const keys = sweepKeys(seed);
  const signer = openSigner({ account, tronAccount, journal, rules: settings.rules, clock });
  const sweeper = openSweeper({ keys, payingWallet: account.address, journal, rules: settings.rules, clock });

  const calls = callsOf(signer, sweeper, (keyId) => {
    // Read from the journal, because the signer may not have accepted what the request claims to vouch for the key.
    const kept = journal.entries.find((one) => one.t === "key" && one.keyId === keyId);
    if (kept?.t === "key") onEnrolled(kept.operator, kept.keyId, kept.by === null);
  });

  const turns = createTurns();

  async function answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
    if (!isLoopbackHost(request.headers.host)) return { status: 421, body: { error: "not my name" } };
    if (!isKnown(request, settings.secret)) return { status: 401, body: { error: "not for you" } };
    const call = request.method === "POST" ? calls[request.url ?? ""] : undefined;
    if (call === undefined) return { status: 404, body: { error: "no such call" } };
    const text = await readBody(request);
    if (text === null) return { status: 413, body: { error: "too long" } };
    try {
      const body: unknown = JSON.parse(text);
      return { status: 200, body: await turns.take(() => call(body)) };
    } catch (error) {
      const isForm = error instanceof v.ValiError || error instanceof SyntaxError;
      return { status: isForm ? 400 : 500, body: { error: error instanceof Error ? error.message : "a fault" } };
    }
  }

  const server = createServer(DEADLINES, (request, response) => {
    answer(request).then(
      ({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      },
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = SOCKETS_MAX;
  const port = await listen(server, settings.port);
  return {
    url: `http://${HOST}:${port}`,
    address: account.address.toLowerCase(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await turns.ended();
      journal.close();
    },
  };
}

type Calls = Readonly<Record<string, (body: unknown) => unknown>>;

function callsOf(signer: Signer, sweeper: Sweeper, enrolled: (keyId: string) => void): Calls {
  return {
    "/authorize": (body) => signer.authorize(v.parse(authorizeMessage, body)),
    "/sign": (body) => signer.sign(v.parse(signMessage, body)),
    "/retract": (body) => signer.retract(v.parse(retractMessage, body)),
    "/revoke": (body) => signer.revoke(v.parse(revokeMessage, body)),
    "/enrol": (body) => {
      const answer = signer.enrol(v.parse(enrolMessage, body));
      if (answer.ok) enrolled(answer.value);
      return answer;
    },
    "/sweep": (body) => sweeper.sign(v.parse(sweepMessage, body)),
    "/state": () => ({ ok: true, value: { ...signer.state(), gasAddress: sweeper.gasAddress } }),
  };
}

/** Runs calls one after another, because what one reads from the journal must still be true when it writes. */
function createTurns() {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    take<Value>(work: () => Value | Promise<Value>): Promise<Value> {
      const done = turn.then(work);
      turn = done.catch(() => undefined);
      return done;
    },
    ended: () => turn,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the signer has no port");
  return address.port;
}

function isKnown(request: IncomingMessage, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${secret}`));
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const chunk = part as Buffer;
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}
