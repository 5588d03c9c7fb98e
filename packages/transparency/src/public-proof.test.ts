import { nodeHashes } from "@fairtick/domain/node";
import { beforeAll, describe, expect, it } from "vitest";
import { openCheckpoint } from "./checkpoint.ts";
import { proofPlacesOf, type ProofPlaces } from "./proof-places.ts";
import { verifyPublicProof, type PublicProof } from "./public-proof.ts";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type World } from "./testing.ts";
import type { LogReader } from "./tile-tree.ts";

let world: World;
let places: ProofPlaces;
let other: ProofPlaces;

beforeAll(async () => {
  world = await makeWorld(nodeHashes, [{ at: 30_130n }, { at: 30_130n, direction: "down" }]);
  places = await placesOf(0);
  other = await placesOf(1);
});

async function placesOf(index: number): Promise<ProofPlaces> {
  const parsed = parseReceipt(await world.receipt(index));
  const found = parsed.ok ? proofPlacesOf(parsed.receipt) : null;
  if (found === null) throw new Error("the order is not in the log");
  return found;
}

async function verify(wanted: ProofPlaces, reader: LogReader = world): Promise<PublicProof> {
  const opened = openCheckpoint(world.checkpoint, POLICY);
  if (!opened.ok) throw new Error(opened.fault);
  return verifyPublicProof(nodeHashes, reader, opened.checkpoint, wanted);
}

const notOk = ({ checks }: PublicProof) =>
  checks
    .filter(({ state }) => state !== "ok")
    .map(({ id, state, why }) => [id, state, ...(why === undefined ? [] : [why.code])].join(" "));

/** Makes a reader of the world's log that changes its files. */
function bent(change: (path: string, bytes: Uint8Array) => Uint8Array | null): LogReader {
  return {
    read: async (path) => {
      const bytes = await world.read(path);
      return bytes && change(path, bytes);
    },
  };
}

describe("an order's proof from the public log alone", () => {
  it("passes for an honest house, and shows how the order was decided", async () => {
    const proof = await verify(places);
    expect(notOk(proof)).toEqual([]);
    const { decided } = world.placed[0]!;
    expect(proof.order?.settled.outcome).toBe(decided?.outcome);
    expect([proof.order?.entry, proof.order?.exit]).toEqual([decided?.entry, decided?.exit]);
  });

  it("names no member and no amount", () => {
    expect(Object.keys(places).toSorted()).toEqual([
      "accepted",
      "batch",
      "commitment",
      "config",
      "minutes",
      "place",
      "settled",
    ]);
  });

  it.each<[string, (honest: ProofPlaces) => Partial<ProofPlaces>, string]>([
    ["another place of the batch", () => ({ place: other.place }), "accepted failed otherOrder"],
    ["a place that the batch does not have", () => ({ place: 9 }), "accepted failed notThere"],
    ["another batch", ({ batch }) => ({ batch: batch + 1 }), "accepted failed notThere"],
    ["another commitment", () => ({ commitment: "0".repeat(16) }), "accepted failed otherOrder"],
    ["no commitment", () => ({ commitment: "" }), "accepted failed otherOrder"],
    ["another entry as the acceptance", ({ settled }) => ({ accepted: settled }), "accepted failed otherKind"],
    ["another entry as the settlement", ({ accepted }) => ({ settled: accepted }), "settled failed otherKind"],
    ["an entry beyond the log", () => ({ settled: 1_000_000 }), "settled failed noEntry"],
    ["a negative place", () => ({ accepted: -1 }), "accepted failed noEntry"],
    ["another entry as the prices", ({ accepted }) => ({ minutes: [accepted] }), "prices failed otherKind"],
    ["another entry as the configuration", ({ accepted }) => ({ config: accepted }), "decided failed otherKind"],
  ])("fails with %s", async (_, bend, expected) => {
    expect(notOk(await verify({ ...places, ...bend(places) }))).toContain(expected);
  });

  it("stays open without the deciding minutes, which is no fault of the house", async () => {
    const found = notOk(await verify({ ...places, minutes: [] }));
    expect(found).toEqual(["decided open noNextPrice"]);
  });

  it("fails if the log serves other prices or another configuration than its entries hash", async () => {
    const price = bent((path, bytes) =>
      path.startsWith("prices/") ? bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte)) : bytes,
    );
    expect(notOk(await verify(places, price))).toContain("prices failed otherPrices");
    const config = bent((path, bytes) =>
      path.startsWith("config/") ? bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte)) : bytes,
    );
    expect(notOk(await verify(places, config))).toEqual(["decided failed otherRules"]);
  });

  it("rejects if an entry is missing or not in the checkpoint's tree", async () => {
    const entries = bent((path, bytes) =>
      path.includes("entries") ? bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) : bytes,
    );
    await expect(verify({ ...places, accepted: 0 }, entries)).rejects.toThrow("is not in the checkpoint");
    const missing = bent((path, bytes) => (path.includes("entries") ? null : bytes));
    await expect(verify(places, missing)).rejects.toThrow("is missing");
  });

  it("detects an order with another outcome than its prices give", async () => {
    const liar = await makeWorld(nodeHashes, [{ at: 30_130n }], {
      change: (entries) =>
        entries.map((entry) => {
          if (entry.kind !== "orders.settle") return entry;
          const orders = structuredClone(entry.fields["orders"]) as Record<string, string>[];
          for (const order of orders) order["outcome"] = order["outcome"] === "won" ? "lost" : "won";
          return { ...entry, fields: { ...entry.fields, orders } };
        }),
    });
    const opened = openCheckpoint(liar.checkpoint, POLICY);
    const parsed = parseReceipt(await liar.receipt(0));
    if (!opened.ok || !parsed.ok) throw new Error("no log");
    const lied = proofPlacesOf(parsed.receipt);
    const proof = await verifyPublicProof(nodeHashes, liar, opened.checkpoint, lied!);
    expect(notOk(proof)).toEqual(["decided failed otherResult"]);
  });
});
