import { toHex, utf8, type Canonical } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { beforeAll, describe, expect, it } from "vitest";
import { openCheckpoint } from "./checkpoint.ts";
import { proofPlacesOf, type ProofPlaces } from "./proof-places.ts";
import { verifyPublicProof, type PublicProof } from "./public-proof.ts";
import { parseReceipt } from "./receipt.ts";
import { makeWorld, POLICY, type TestEntry, type World } from "./testing.ts";
import { configBody, START } from "./testing-house.ts";
import type { LogReader } from "./tile-tree.ts";

let world: World;
let places: ProofPlaces;
let other: ProofPlaces;

beforeAll(async () => {
  world = await makeWorld(nodeHashes, [{ at: 30_130n }, { at: 30_130n, direction: "down" }]);
  places = await placesOf(0);
  other = await placesOf(1);
});

async function placesOf(index: number, house: World = world): Promise<ProofPlaces> {
  const parsed = parseReceipt(await house.receipt(index));
  const found = parsed.ok ? proofPlacesOf(parsed.receipt) : null;
  if (found === null) throw new Error("the order is not in the log");
  return found;
}

async function verify(wanted: ProofPlaces, reader: LogReader = world): Promise<PublicProof> {
  const opened = openCheckpoint(world.checkpoint, POLICY);
  if (!opened.ok) throw new Error(opened.fault);
  return verifyPublicProof(nodeHashes, reader, opened.checkpoint, wanted);
}

/** Verifies in a log that is wholly that house's own. */
async function verifyIn(house: World, wanted: ProofPlaces): Promise<PublicProof> {
  const opened = openCheckpoint(house.checkpoint, POLICY);
  if (!opened.ok) throw new Error(opened.fault);
  return verifyPublicProof(nodeHashes, house, opened.checkpoint, wanted);
}

const notOk = ({ checks }: PublicProof) =>
  checks
    .filter(({ state }) => state !== "ok")
    .map(({ id, state, why }) => [id, state, ...(why === undefined ? [] : [why.code])].join(" "));

/** Returns the place of the first minute of that product's prices. */
const minuteOf = (symbol: string) =>
  world.entries.findIndex(({ kind, text }) => kind === "ticks" && text.includes(`"symbol":"${symbol}"`));

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
  ])("fails with %s", async (_, bend, expected) => {
    expect(notOk(await verify({ ...places, ...bend(places) }))).toContain(expected);
  });

  it.each<[string, (honest: ProofPlaces) => Partial<ProofPlaces>, string]>([
    ["another entry as the prices", ({ accepted }) => ({ minutes: [accepted] }), "prices open otherKind"],
    ["an entry beyond the log as the prices", () => ({ minutes: [1_000_000] }), "prices open noEntry"],
    ["prices of another product", () => ({ minutes: [minuteOf("BTCUSD")] }), "prices open otherProduct"],
    ["prices in the wrong sequence", ({ minutes }) => ({ minutes: minutes.toReversed() }), "prices open pricesOrder"],
    ["another entry as the configuration", ({ accepted }) => ({ config: accepted }), "decided open otherKind"],
    ["no entry as the configuration", () => ({ config: 1_000_000 }), "decided open noEntry"],
  ])("stays open if a link leads to %s, as one that was cut off may", async (_, bend, expected) => {
    const found = notOk(await verify({ ...places, ...bend(places) }));
    expect(found).toContain(expected);
    expect(found.filter((each) => each.includes("failed"))).toEqual([]);
  });

  it("stays open without the deciding minutes, which is no fault of the house", async () => {
    const found = notOk(await verify({ ...places, minutes: [] }));
    expect(found).toEqual(["prices open pricesElsewhere", "decided open noNextPrice"]);
  });

  it("stays open with minutes that don't decide this order", async () => {
    const symbol = '"symbol":"EURUSD"';
    const all = world.entries.flatMap(({ kind, text }, at) => (kind === "ticks" && text.includes(symbol) ? [at] : []));
    for (const minutes of [[all.at(-1) ?? 0], all.slice(-3), places.minutes.slice(0, 1)]) {
      const found = notOk(await verify({ ...places, minutes }));
      expect(found.map((each) => each.split(" ").slice(0, 2).join(" "))).toEqual(["prices open", "decided open"]);
    }
  });

  it("fails if the house left out a price beside the entry, but not if only the link did", async () => {
    // Accepted in the last tenth of a second of a minute, so that the entry is in the next one.
    const orders = [{ at: 59_900n }];
    const honest = await makeWorld(nodeHashes, orders);
    const whole = await placesOf(0, honest);
    expect(notOk(await verifyIn(honest, whole))).toEqual([]);
    const linked = { ...whole, minutes: whole.minutes.slice(1) };
    expect(notOk(await verifyIn(honest, linked))).toEqual(["decided open pricesLeftOut"]);
    const file = `prices/EURUSD/${START}`;
    const cut = new TextDecoder().decode(honest.files.get(file)).replace(/\n[^\n]*$/, "");
    const liar = await makeWorld(nodeHashes, orders, {
      change: (entries) =>
        entries.map((entry) => {
          const { symbol, time } = entry.fields;
          const isCut = entry.kind === "ticks" && symbol === "EURUSD" && time === START;
          return isCut ? withFields(entry, { hash: toHex(nodeHashes.sha256(utf8(cut))) }) : entry;
        }),
    });
    liar.files.set(file, utf8(cut));
    expect(notOk(await verifyIn(liar, whole))).toEqual(["decided failed pricesLeftOut"]);
  });

  it("says nothing of the order of entries if it didn't find the acceptance", async () => {
    expect(notOk(await verify({ ...places, commitment: "0".repeat(16) }))).toEqual([
      "accepted failed otherOrder",
      "opened open",
      "prices open",
      "decided open",
      "settled open",
    ]);
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
      change: bend((order) => ({ ...order, outcome: order["outcome"] === "won" ? "lost" : "won" })),
    });
    expect(notOk(await verifyIn(liar, await placesOf(0, liar)))).toEqual(["decided failed otherResult"]);
  });
});

describe("a proof of a sealed order", () => {
  const sealed = [{ at: 30_130n, sealed: "revealed" as const }];
  const never = [{ at: 30_130n, sealed: "never" as const }];
  const unrevealed = { direction: null, outcome: "unrevealed", revealedAt: null, sealNonce: null };

  it("passes if it was revealed", async () => {
    const honest = await makeWorld(nodeHashes, sealed);
    expect(notOk(await verifyIn(honest, await placesOf(0, honest)))).toEqual([]);
  });

  it("fails if it counts as not revealed before its time to be revealed is over", async () => {
    const liar = await makeWorld(nodeHashes, sealed, { change: bend((order) => ({ ...order, ...unrevealed })) });
    expect(notOk(await verifyIn(liar, await placesOf(0, liar)))).toEqual(["decided failed tooEarly"]);
  });

  it("stays open if it was never revealed, since a witness's board isn't read", async () => {
    const honest = await makeWorld(nodeHashes, never);
    expect(notOk(await verifyIn(honest, await placesOf(0, honest)))).toEqual(["decided open boardsUnread"]);
    const expiry = Number(honest.placed[0]?.decided?.entry?.time ?? 0n) + 60_000;
    const settledAt = (at: number) => (entries: TestEntry[]) =>
      entries.map((entry) => (entry.kind === "orders.settle" ? withFields(entry, { settledAt: at }) : entry));
    const late = await makeWorld(nodeHashes, never, { change: settledAt(expiry + 604_800_000) });
    expect(notOk(await verifyIn(late, await placesOf(0, late)))).toEqual(["decided open boardsUnread"]);
    const early = await makeWorld(nodeHashes, never, { change: settledAt(expiry + 604_800_000 - 1) });
    expect(notOk(await verifyIn(early, await placesOf(0, early)))).toEqual(["decided failed tooEarly"]);
  });
});

describe("the rules of a proof", () => {
  /** Adds a second configuration, as lenient as its body says. */
  const lenient = configBody
    .replaceAll(/"staleExitMs":[0-9]+/g, '"staleExitMs":1')
    .replace('"version":1', '"version":2');
  const addRules = (more: Fields) => (entries: TestEntry[]) => {
    const at = entries.findIndex(({ kind }) => kind === "config");
    const hash = toHex(nodeHashes.sha256(utf8(lenient)));
    const fields = { effectiveAt: START - 80_000n, hash, version: 2, ...more };
    return entries.toSpliced(at + 1, 0, { time: START - 79_000n, kind: "config", fields });
  };

  it("are those of the batch, and a link that names others isn't a fault of the house", async () => {
    const house = await makeWorld(nodeHashes, [{ at: 30_130n }], { change: addRules({}) });
    house.files.set("config/2", utf8(lenient));
    const honest = await placesOf(0, house);
    expect(notOk(await verifyIn(house, honest))).toEqual([]);
    const config = house.entries.findLastIndex(({ kind }) => kind === "config");
    expect(notOk(await verifyIn(house, { ...honest, config }))).toEqual(["decided open linkOtherRules"]);
  });

  it("must have been in force when the order was accepted, and in the log before it", async () => {
    const named = (entries: TestEntry[]) =>
      entries.map((entry) => (entry.kind === "orders.accept" ? withFields(entry, { config: 2 }) : entry));
    const body = lenient.replace(/"effectiveAt":[0-9]+/, `"effectiveAt":${START + 400_000n}`);
    const hash = toHex(nodeHashes.sha256(utf8(body)));
    const liar = await makeWorld(nodeHashes, [{ at: 30_130n }], {
      change: (entries) => named(addRules({ effectiveAt: START + 400_000n, hash })(entries)),
    });
    liar.files.set("config/2", utf8(body));
    const early = { ...(await placesOf(0, liar)), config: configAt(liar, 2) };
    expect(notOk(await verifyIn(liar, early))).toEqual(["decided failed rulesLater"]);
    const backdating = await makeWorld(nodeHashes, [{ at: 30_130n }], {
      change: (entries) => {
        const all = named(addRules({})(entries));
        const [moved] = all.splice(
          all.findIndex(({ fields }) => fields["version"] === 2 && fields["hash"] !== undefined),
          1,
        );
        return moved === undefined ? all : [...all, moved];
      },
    });
    backdating.files.set("config/2", utf8(lenient));
    const late = { ...(await placesOf(0, backdating)), config: configAt(backdating, 2) };
    expect(notOk(await verifyIn(backdating, late))).toEqual(["decided failed rulesLater"]);
  });

  it.each<[string, (body: string) => string]>([
    ["another version", (body) => body.replace('"version":1', '"version":2')],
    ["another time", (body) => body.replace(/"effectiveAt":[0-9]+/, '"effectiveAt":1')],
  ])("are not the logged ones if they state %s than their entry", async (_, change) => {
    const body = change(configBody);
    const liar = await makeWorld(nodeHashes, [{ at: 30_130n }], {
      change: (entries) =>
        entries.map((entry) =>
          entry.kind === "config" ? withFields(entry, { hash: toHex(nodeHashes.sha256(utf8(body))) }) : entry,
        ),
    });
    liar.files.set("config/1", utf8(body));
    expect(notOk(await verifyIn(liar, await placesOf(0, liar)))).toEqual(["decided failed otherRules"]);
  });
});

describe("a proof of an order from before sealed orders", () => {
  it("stays open, because the log doesn't show what opens its terms", async () => {
    const former = await makeWorld(nodeHashes, [{ at: 30_130n }], { isFormer: true });
    const placeOf = (kind: string) => former.entries.findIndex((each) => each.kind === kind);
    const proof = await verifyIn(former, {
      batch: 1,
      place: 0,
      accepted: placeOf("orders.accept"),
      settled: placeOf("orders.settle"),
      config: placeOf("config"),
      minutes: former.entries.flatMap(({ kind, text }, at) =>
        kind === "ticks" && /"symbol":"EURUSD"/.test(text) ? [at] : [],
      ),
      commitment: toHex(former.placed[0]?.batch.commitments[0] ?? new Uint8Array()).slice(0, 16),
    });
    expect(notOk(proof)).toEqual(["opened open unopened"]);
  });

  it("fails if a newer order is settled as one of those", async () => {
    const liar = await makeWorld(nodeHashes, [{ at: 30_130n }], {
      change: (entries) =>
        bend(({ nonce: _n, own: _o, revealedAt: _r, seal: _s, sealNonce: _l, ...rest }) => rest)(entries).map(
          (entry) => (entry.kind === "orders.settle" ? withFields(entry, { v: 1 }) : entry),
        ),
    });
    expect(notOk(await verifyIn(liar, await placesOf(0, liar)))).toEqual(["opened failed otherTerms"]);
  });
});

type Fields = Record<string, Canonical>;

const withFields = (entry: TestEntry, more: Fields): TestEntry =>
  Object.assign({}, entry, { fields: Object.assign({}, entry.fields, more) });

/** Changes every settled order, as a dishonest house might. */
const bend = (change: (order: Fields) => Fields) => (entries: TestEntry[]) =>
  entries.map((entry) =>
    entry.kind === "orders.settle"
      ? withFields(entry, { orders: (entry.fields["orders"] as Fields[]).map(change) })
      : entry,
  );

/** Returns the place of that configuration's entry. */
const configAt = ({ entries }: World, version: number) =>
  entries.findIndex(({ kind, text }) => kind === "config" && text.includes(`"version":${version}`));
