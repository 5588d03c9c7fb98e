import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beaconRoundTime, type Clock, fromHex, type Instant } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { verifyRound } from "@fairtick/transparency";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBeaconKey } from "./beacon-key.ts";
import { addBeaconPages } from "./beacon-pages.ts";
import { type RoundBody, type RunningBeacon, startBeacon } from "./start-beacon.ts";

// The embedded beacon's rounds at the house's own address, where verifiers fetch them.

let time = 1_800_000_000_400n;
const clock: Clock = { now: () => time as Instant, elapsedMs: () => 0 };
const folder = mkdtempSync(join(tmpdir(), "fairtick-beacon-pages-"));
const key = openBeaconKey(join(folder, "beacon.json"), clock);
let beacon: RunningBeacon;
let app: FastifyInstance;

const pages = (times: typeof key.chain | null) => {
  const made = fastify();
  const { publicKey } = key.chain;
  addBeaconPages(made, { config: { beacon: { url: beacon.url, key: publicKey, times } }, clock } as never);
  return made;
};
const get = async (path: string) => {
  const { statusCode, headers, body } = await app.inject({ url: path });
  return { status: statusCode, headers, body: body === "" ? null : (JSON.parse(body) as RoundBody) };
};

beforeAll(async () => {
  beacon = await startBeacon(key, clock);
  app = pages(key.chain);
});
afterAll(async () => {
  await app.close();
  await beacon.close();
  rmSync(folder, { recursive: true });
});

it("serves the newest round and each earlier one to any page, signed by the chain's key", async () => {
  time = beaconRoundTime(key.chain, 5n);
  const latest = await get("/beacon/public/latest");
  expect(latest).toMatchObject({
    status: 200,
    body: { round: 5 },
    headers: { "access-control-allow-origin": "*", "cache-control": "no-store" },
  });
  expect((await get("/beacon/public/5")).body).toEqual(latest.body);
  const earlier = (await get("/beacon/public/2")).body!;
  const signature = fromHex(earlier.signature)!;
  expect(earlier.round).toBe(2);
  expect(verifyRound(nodeHashes, key.chain.publicKey, { round: 2n, signature })).toBe(true);
  expect((await get("/beacon/info")).body).toMatchObject({ schemeID: "bls-unchained-g1-rfc9380", period: 3 });
});

it("gives the next round once it is due, and not before", async () => {
  time = beaconRoundTime(key.chain, 6n) - 1n;
  expect((await get("/beacon/public/6")).status).toBe(425);
  expect((await get("/beacon/public/latest")).body).toMatchObject({ round: 5 });
  time += 1n;
  expect((await get("/beacon/public/6")).body).toMatchObject({ round: 6 });
  expect((await get("/beacon/public/latest")).body).toMatchObject({ round: 6 });
});

it.each(["0", "-1", "1e3", "01", "1234567890123456", "newest"])("has no round %s", async (round) => {
  expect((await get(`/beacon/public/${round}`)).status).toBe(404);
});

it("has no pages for a beacon of somebody else's", async () => {
  const without = pages(null);
  expect((await without.inject({ url: "/beacon/public/latest" })).statusCode).toBe(404);
  await without.close();
});

it("still gives the rounds that it has read while the beacon is away, and says so for the others", async () => {
  await beacon.close();
  expect((await get("/beacon/public/2")).body).toMatchObject({ round: 2 });
  expect(await get("/beacon/public/3")).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  beacon = await startBeacon(key, clock);
});
