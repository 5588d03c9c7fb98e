import { type Instant, utf8 } from "@fairtick/domain";
import { type LogReader, parseTilePath, parseVerifierKey, ROTATIONS_PATH } from "@fairtick/transparency";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { boardAddress } from "../../platform/witness-settings.ts";
import { openPriceArchive, type PriceArchive } from "../price-archive/index.ts";
import { configBody, minuteLines, policyBody } from "./log-sources.ts";
import { minuteQuotes } from "./quote-sources.ts";
import { readPublication, type WitnessStanding } from "./log-store.ts";
import { readKeys } from "./register-key.ts";

/** Returns what is known of a witness. One that wasn't asked yet is listed too, as in `/log/keys`. */
function standingOf(key: string, known: readonly WitnessStanding[]): WitnessStanding {
  const untold = { name: parseVerifierKey(key)?.name ?? "", key, size: null, at: null };
  // Whether it is away at this second is no claim of the house: `at` shows it.
  const found: WitnessStanding = known.find((each) => each.key === key) ?? untold;
  const { away: _away, ...told } = found;
  return told;
}

/** Cache header of pages that never change. */
const FOR_GOOD = "public, max-age=31536000, immutable";
const SOON = "public, max-age=1, must-revalidate";
const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Adds the public pages under `/log/`, which hold everything a verifier needs: checkpoint, tiles, keys, witnesses, prices,
 * configurations and policies. Any web server can serve the files from the same folder instead.
 */
export function addLogPages(
  app: FastifyInstance,
  context: Pick<Context, "databases" | "config">,
  files: LogReader,
): void {
  const { reader } = context.databases;
  addCheckpointPages(app, context, files);
  addMinutePages(app, reader, openPriceArchive(reader, files));
  addRulesPages(app, reader);

  app.get("/log/tile/*", async (request, reply) => {
    const path = `tile/${(request.params as { "*": string })["*"]}`;
    const place = parseTilePath(path);
    const bytes = place === null ? null : await files.read(path);
    if (place === null || bytes === null) return missing(reply);
    // Entry bundles are framed JSON, hash tiles are hashes. Both are binary and never change under their name.
    return open(reply, FOR_GOOD).type("application/octet-stream").send(Buffer.from(bytes));
  });
}

/** Adds the newest checkpoint and what is needed to verify it. */
function addCheckpointPages(
  app: FastifyInstance,
  { databases: { reader }, config }: Pick<Context, "databases" | "config">,
  files: LogReader,
): void {
  app.get("/log/checkpoint", async (_request, reply) => {
    const published = await readPublication(reader);
    if (published === null || published.size === 0) return missing(reply);
    return open(reply, SOON).type(TEXT).send(published.note);
  });

  // Lists verifier keys, one on each line: the log's own, then the acceptance keys, then the witnesses', and how many of
  // these are needed unless all are. Meant for a verifier's first contact, which pins them.
  app.get("/log/keys", async (_request, reply) => {
    const keys = await readKeys(reader);
    const ofRole = (role: string) => keys.filter((each) => each.role === role).map((each) => each.key);
    const { witnesses, witnessesRequired } = config;
    const lines = [...ofRole("log"), ...ofRole("acceptance"), ...witnesses.map(({ key }) => key)];
    if (witnessesRequired !== null && witnessesRequired < witnesses.length)
      lines.push(`witnesses ${witnessesRequired}`);
    return open(reply, SOON)
      .type(TEXT)
      .send(lines.map((line) => `${line}\n`).join(""));
  });

  app.get("/log/rotations", async (_request, reply) => {
    const bytes = await files.read(ROTATIONS_PATH);
    if (bytes === null) return missing(reply);
    return open(reply, SOON).type(JSON_TYPE).send(Buffer.from(bytes));
  });

  app.get("/log/witnesses", async (_request, reply) => {
    const published = await readPublication(reader);
    return open(reply, SOON).send({
      size: published?.size ?? 0,
      coversAt: Number(published?.coversAt ?? 0n),
      witnesses: config.witnesses.map((each) => ({
        ...standingOf(each.key, published?.witnesses ?? []),
        board: boardAddress(each, config.publicUrl),
      })),
    });
  });
}

/** Adds the prices of finished minutes, and the quotes that they were composed from. */
function addMinutePages(app: FastifyInstance, reader: Queryable, archive: PriceArchive): void {
  app.get("/log/prices/:symbol/:minute", async (request, reply) => {
    const { symbol, minute } = request.params as { symbol: string; minute: string };
    if (!/^[A-Z0-9]{1,20}$/.test(symbol) || !/^(?:0|[1-9][0-9]{0,15})$/.test(minute)) return missing(reply);
    const lines = await minuteLines(reader, archive, symbol, BigInt(minute) as Instant);
    return lines?.finished === true ? open(reply, FOR_GOOD).type(TEXT).send(lines.text) : missing(reply);
  });

  app.get("/log/quotes/:symbol/:minute", async (request, reply) => {
    const { symbol, minute } = request.params as { symbol: string; minute: string };
    if (!/^[A-Z0-9]{1,20}$/.test(symbol) || !/^(?:0|[1-9][0-9]{0,15})$/.test(minute)) return missing(reply);
    const text = await minuteQuotes(reader, archive, symbol, BigInt(minute) as Instant);
    if (text === null) return missing(reply);
    return sendJson(reply, text);
  });
}

/** Adds the trading configurations and the policies, by version. */
function addRulesPages(app: FastifyInstance, reader: Queryable): void {
  app.get("/log/config/:version", async (request, reply) => {
    const { version } = request.params as { version: string };
    const body = /^[1-9][0-9]{0,8}$/.test(version) ? await configBody(reader, Number(version)) : null;
    if (body === null) return missing(reply);
    return sendJson(reply, body);
  });

  app.get("/log/policy/:name/:version", async (request, reply) => {
    const { name, version } = request.params as { name: string; version: string };
    const known = /^[a-z]{1,20}$/.test(name) && /^[1-9][0-9]{0,8}$/.test(version);
    const body = known ? await policyBody(reader, name, Number(version)) : null;
    if (body === null) return missing(reply);
    return sendJson(reply, body);
  });
}

function open(reply: FastifyReply, cache: string): FastifyReply {
  return reply
    .header("access-control-allow-origin", "*")
    .header("cross-origin-resource-policy", "cross-origin")
    .header("cache-control", cache);
}

function missing(reply: FastifyReply): FastifyReply {
  return open(reply, SOON).code(404).type(TEXT).send("not in the log\n");
}

/** Sends JSON that never changes, byte for byte as it was logged. */
function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return open(reply, FOR_GOOD)
    .type(JSON_TYPE)
    .send(Buffer.from(utf8(json)));
}
