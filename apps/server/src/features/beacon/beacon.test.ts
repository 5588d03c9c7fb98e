import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beaconRoundTime, type Clock, fromHex, type Instant } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { verifyRound } from "@fairtick/transparency";
import { afterAll, describe, expect, it } from "vitest";
import { openBeaconDoor, readBeaconChain } from "./ask-beacon.ts";
import { chainHash, openBeaconKey } from "./beacon-key.ts";
import { type RoundBody, startBeacon } from "./start-beacon.ts";

const folder = mkdtempSync(join(tmpdir(), "fairtick-beacon-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** Creates a clock that the test moves. */
function clockAt(start: bigint): Clock & { time: bigint } {
  return {
    time: start,
    now() {
      return this.time as Instant;
    },
    elapsedMs: () => 0,
  };
}
const hex = (text: string) => fromHex(text)!;

describe("the embedded beacon", () => {
  const clock = clockAt(1_800_000_000_400n);
  const key = openBeaconKey(join(folder, "own", "beacon.json"), clock);

  it("keeps its key in a file that only its user can read, and its chain across a restart", () => {
    const path = join(folder, "own", "beacon.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    clock.time += 60_000n;
    expect(openBeaconKey(path, clock)).toEqual(key);
    expect(key.chain).toMatchObject({ genesis: 1_800_000_000n, period: 3n });
    writeFileSync(path, readFileSync(path, "utf8").replace('"secret"', '"secrets"'));
    expect(() => openBeaconKey(path, clock)).toThrow(/holds no key of a beacon/);
  });

  it("hashes a chain as drand does", () => {
    const quicknet = {
      genesis: 1_692_803_367n,
      period: 3n,
      publicKey: hex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
          "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
      ),
    };
    const group = hex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e");
    expect(chainHash(quicknet, group, "quicknet")).toBe(
      "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    );
  });

  it("serves valid rounds, and none before it is due", async () => {
    const beacon = await startBeacon(key, clock);
    try {
      const get = async (path: string) => {
        const answer = await fetch(`${beacon.url}${path}`);
        return { status: answer.status, body: (await answer.json()) as RoundBody };
      };
      clock.time = beaconRoundTime(key.chain, 5n);
      const latest = await get("/public/latest");
      expect(latest.body.round).toBe(5);
      const signature = hex(latest.body.signature);
      expect(verifyRound(nodeHashes, key.chain.publicKey, { round: 5n, signature })).toBe(true);
      expect(await get("/public/5")).toEqual(latest);
      expect((await get("/public/6")).status).toBe(425);
      clock.time += 2_999n;
      expect((await get("/public/6")).status).toBe(425);
      clock.time += 1n;
      expect((await get("/public/6")).status).toBe(200);
      for (const path of ["/public/0", "/public/-1", "/public/1e3", "/key", "/public/"]) {
        expect((await get(path)).status).toBe(404);
      }
      expect((await fetch(`${beacon.url}/info`, { method: "POST" })).status).toBe(405);
      const info = await (await fetch(`${beacon.url}/info`)).json();
      expect(info).toMatchObject({ schemeID: "bls-unchained-g1-rfc9380", period: 3, genesis_time: 1_800_000_000 });
    } finally {
      await beacon.close();
    }
  });
});

describe("a beacon's client", () => {
  const clock: Clock = { now: () => BigInt(Date.now()) as Instant, elapsedMs: () => performance.now() };
  const key = openBeaconKey(join(folder, "asked", "beacon.json"), clockAt(clock.now() - 60_000n));
  const soon = () => AbortSignal.timeout(5_000);
  const nobody = () => undefined;

  it("gets the rounds that are due, and no future ones", async () => {
    const beacon = await startBeacon(key, clock);
    try {
      const found = await openBeaconDoor(beacon.url, key.chain, nobody).ask([1n, 2n, 1_000_000n], soon());
      expect([...found.keys()]).toEqual([1n, 2n]);
      for (const [round, signature] of found)
        expect(verifyRound(nodeHashes, key.chain.publicKey, { round, signature })).toBe(true);
    } finally {
      await beacon.close();
    }
  });

  it("learns from the chain when rounds are due, and only from the expected chain", async () => {
    const beacon = await startBeacon(key, clock);
    try {
      expect(await readBeaconChain(beacon.url, key.chain.publicKey, soon())).toEqual(key.chain);
      const other = openBeaconKey(join(folder, "other", "beacon.json"), clock).chain.publicKey;
      await expect(readBeaconChain(beacon.url, other, soon())).rejects.toThrow(/has another key/);
      await expect(readBeaconChain(`${beacon.url}/public`, other, soon())).rejects.toThrow(/answers 404/);
    } finally {
      await beacon.close();
    }
  });

  it("refuses a chain whose hash isn't the one in the address", async () => {
    const source = await startBeacon(key, clock);
    const info = (await (await fetch(`${source.url}/info`)).json()) as { readonly hash: string };
    let genesis: number | undefined;
    const bent = createServer((_request, response) => {
      response.end(JSON.stringify(genesis === undefined ? info : { ...info, genesis_time: genesis }));
    });
    await new Promise<void>((resolve) => bent.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(bent.address() as AddressInfo).port}/${info.hash}`;
    try {
      expect(await readBeaconChain(url, key.chain.publicKey, soon())).toEqual(key.chain);
      genesis = Number(key.chain.genesis) - 3_000;
      await expect(readBeaconChain(url, key.chain.publicKey, soon())).rejects.toThrow(/not of the chain/);
    } finally {
      bent.closeAllConnections();
      bent.close();
      await source.close();
    }
  });

  it.each(["another chain's round", "another round's number", "no JSON", "an error"])(
    "accepts no answer that is %s",
    async (wrong) => {
      const old = clockAt(clock.now() - 60_000n);
      const other = openBeaconKey(join(folder, "third", "beacon.json"), old);
      const source = await startBeacon(wrong === "another chain's round" ? other : key, clock);
      const bent = createServer((request, response) => {
        void (async () => {
          const round = request.url!.split("/").at(-1)!;
          const body = (await (await fetch(`${source.url}/public/${round}`)).json()) as RoundBody;
          response.statusCode = wrong === "an error" ? 500 : 200;
          const shown = wrong === "another round's number" ? { ...body, round: body.round + 1 } : body;
          response.end(wrong === "no JSON" ? "<html>" : JSON.stringify(shown));
        })();
      });
      await new Promise<void>((resolve) => bent.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(bent.address() as AddressInfo).port}`;
      const told: bigint[] = [];
      try {
        const door = openBeaconDoor(url, key.chain, (round) => told.push(round));
        expect(await door.ask([1n, 2n], soon())).toEqual(new Map());
        expect(told).toEqual([1n, 2n]);
      } finally {
        bent.closeAllConnections();
        bent.close();
        await source.close();
      }
    },
  );
});
