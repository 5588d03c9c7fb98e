import {
  batchRoot,
  canonicalJson,
  type DeviceId,
  FIRST_SM1_PARAMS,
  formerBatchRoot,
  formatId,
  formerOrderCommitment,
  fromHex,
  type Instant,
  merkleRoot,
  orderCommitment,
  type Points,
  privateHash,
  refusalCommitment,
  REMOVED_WITHIN_MS,
  sealOf,
  sm1Commit,
  sm1Digest,
  sm1EpochKey,
  sm1EpochTicks,
  sm1Mix,
  sm1Start,
  sm2WindowKey,
  termsHash,
  toHex,
  utf8,
} from "@fairtick/domain";
import { nodeHashes as hashes } from "@fairtick/domain/node";
import { expect, it } from "vitest";
import { slotHead } from "./acceptance.ts";
import { toBase64 } from "./base64.ts";
import { beaconPublicKey, newBeaconSecret, signRound, verifyRound } from "./beacon.ts";
import { formatCheckpoint, openCheckpoint, signCheckpoint } from "./checkpoint.ts";
import { cosign } from "./cosignature.ts";
import { decideOrder } from "./decide-order.ts";
import { COSIGNATURE_TYPE, ED25519_TYPE, signerKey } from "./keys.ts";
import { cosignedAt } from "./log-age.ts";
import { parseLogEntry } from "./log-entry.ts";
import { formatNote, formatSignatureLine, signNote } from "./note.ts";
import { formatPolicy } from "./policy-text.ts";
import { isInPythTree, openVaa, parsePythPrice, parsePythUpdate, pythPoints } from "./pyth-update.ts";
import { findRemoval, isAfterRemoval } from "./read-removal.ts";
import { parseCanonical } from "./shape.ts";
import { TEST_BEACON } from "./testing-beacon.ts";
import { TEST_DEVICE, TEST_MEMBER, testDeviceHash } from "./testing-device.ts";
import { paramsOf, textOf } from "./testing-house.ts";
import { makeWorld, POLICY } from "./testing.ts";
import { PYTH_EMITTER } from "./testing-pyth.ts";
import { GUARDIAN_SET_4, REAL_UPDATE } from "./testing-pyth-real.ts";
import { INCOMPLETE_MS, receiptDue } from "./receipt-overdue.ts";
import { quoteHash } from "./tick-quotes.ts";
import { openTileTree } from "./tile-tree.ts";
import { signTimeless } from "./timeless-signature.ts";
import { EMPTY_LOG, growLog } from "./tree-edge.ts";

// Compares this implementation's vectors with those in docs/vectors, which the second implementation reads too.
// `vitest run packages/transparency/src/vectors.test.ts -u` rewrites them after a change.

const textOfVectors = (vectors: unknown) => `${JSON.stringify(vectors, null, 1)}\n`;
const fileOf = (name: string) => `../../../docs/vectors/${name}.json`;
const fill = (byte: number, length = 32) => new Uint8Array(length).fill(byte);
const hex = (text: string) => fromHex(text) ?? new Uint8Array();

function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

it("canonical JSON", async () => {
  const accepted = [
    "null",
    "true",
    '"\\u0000\\u001f\\"\\\\\\b\\f\\n\\r\\té😀"',
    '{"":[],"A":-1,"a":{"b":9007199254740991}}',
  ];
  const surrogates = ['"\\ud800"', '{"\u{1f600}":1,"\uff5e":2}'];
  const refused = [
    "",
    " 1",
    "1.0",
    "1e3",
    "-0",
    "01",
    "9007199254740992",
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '"\\/"',
    '"\\u00e9"',
    "NaN",
  ];
  const all = [...accepted, ...surrogates];
  expect(all.filter((text) => !isAccepted(() => parseCanonical(utf8(text))))).toEqual([]);
  expect(refused.filter((text) => isAccepted(() => parseCanonical(utf8(text))))).toEqual([]);
  await expect(textOfVectors({ accepted: all, refused })).toMatchFileSnapshot(fileOf("canonical-json"));
});

it("Merkle trees", async () => {
  const entries = Array.from({ length: 9 }, (_, place) => utf8(`entry ${place}`));
  const { files: grown } = growLog(hashes, EMPTY_LOG, entries);
  const files = new Map(grown.map(({ path, bytes }) => [path, bytes]));
  const sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const rootOf = (size: number) => toHex(merkleRoot(hashes, entries.slice(0, size)));
  const tree = openTileTree(hashes, { read: (path) => Promise.resolve(files.get(path) ?? null) }, 9);
  const inclusion = [];
  const consistency = [];
  for (const index of sizes.slice(0, 9)) {
    inclusion.push({ index, path: (await tree.inclusionProof(index)).map(toHex) });
    if (index > 0) consistency.push({ from: index, path: (await tree.consistencyProof(index)).map(toHex) });
  }
  await expect(
    textOfVectors({ entries: entries.map(toHex), roots: sizes.map(rootOf), size: 9, inclusion, consistency }),
  ).toMatchFileSnapshot(fileOf("merkle"));
});

it("keys and checkpoints", async () => {
  const log = signerKey("vectors.example/log", ED25519_TYPE, fill(1));
  const stranger = signerKey("vectors.example/log", ED25519_TYPE, fill(9));
  const witnesses = [3, 4, 5].map((byte) => signerKey(`witness.example/w${byte}`, COSIGNATURE_TYPE, fill(byte)));
  const renamed = signerKey("other.example/w3", COSIGNATURE_TYPE, fill(3));
  const policy = { ...POLICY, origin: "vectors.example/log", logKeys: [log.verifier], acceptanceKeys: [] };
  const pinned = {
    ...policy,
    witnessKeys: [...witnesses, renamed].map(({ verifier }) => verifier),
    witnessesNeeded: 2,
  };
  const checkpoint = { origin: "vectors.example/log", size: 7, root: fill(6) };
  const text = formatCheckpoint(checkpoint);
  const note = signCheckpoint(checkpoint, log);
  const lines = witnesses.map(
    (witness, nth) => `${formatSignatureLine(cosign(text, BigInt(1_000 + 100 * nth), witness))}\n`,
  );
  const broken = (line: string) =>
    line.replace(/.(..=?=?)\n$/, (all) => (all.startsWith("A") ? "B" : "A") + all.slice(1));
  const newer = `${formatSignatureLine(cosign(text, 2_000n, witnesses[0]!))}\n`;
  const named = (name: string) => `— ${name} AAAAAAA=\n`;
  const again = `${formatSignatureLine(cosign(text, 1_300n, renamed))}\n`;
  const timeless = `${formatSignatureLine(signTimeless(text, witnesses[0]!))}\n`;
  const other = { text, signatures: [signNote(text, stranger)] };
  const notes: [string, string][] = [
    ["cosigned by two", note + lines[0] + lines[1]],
    ["cosigned by three", note + lines.join("")],
    ["cosigned by one", note + lines[0]],
    ["a cosignature twice", note + lines[0] + lines[0]],
    ["by two names of one witness", note + lines[0] + again],
    ["by two names of one witness and by another one", note + lines[0] + again + lines[1]],
    ["a broken cosignature by another name of a witness", note + lines[0] + lines[1] + broken(again)],
    ["a broken cosignature beside two good ones", note + lines[0] + lines[1] + broken(lines[2]!)],
    ["an older cosignature before a newer one of the same witness", note + lines[0] + lines[1] + newer],
    ["a broken cosignature behind a good one of the same witness", note + lines[0] + lines[1] + broken(lines[1]!)],
    ["with a control character in an unknown key's name", note + lines[0] + lines[1] + named("a\u0090b")],
    ["with a blank in an unknown key's name", note + lines[0] + lines[1] + named("a\u2003b")],
    ["with an invisible character in an unknown key's name", note + lines[0] + lines[1] + named("a\uFEFFb")],
    ["with more than 100 signatures", note + lines[0] + lines[1] + named("a").repeat(98)],
    ["with a timeless signature", note + lines[0] + lines[1] + timeless],
    ["by another key of the log's name", formatNote(other) + lines[0] + lines[1]],
    ["with an extension line", (note + lines[0] + lines[1]).replace("\n\n", "\nmore\n\n")],
    ["of another origin", (note + lines[0] + lines[1]).replace("vectors.example/log\n", "other.example/log\n")],
  ];
  const checkpoints = notes.map(([what, each]) => {
    const opened = openCheckpoint(each, pinned);
    const counts = opened.ok && opened.witnesses.length >= 2;
    return { what, note: each, counts, time: counts ? Number(cosignedAt(opened.witnesses, 2)) : null };
  });
  expect(checkpoints.flatMap(({ what, counts }) => (counts ? [what] : []))).toEqual([
    "cosigned by two",
    "cosigned by three",
    "by two names of one witness and by another one",
    "an older cosignature before a newer one of the same witness",
    "with an invisible character in an unknown key's name",
    "with a timeless signature",
  ]);
  await expect(textOfVectors({ keys: formatPolicy(pinned), checkpoints })).toMatchFileSnapshot(fileOf("checkpoints"));
});

it("orders, batches and slots", async () => {
  const [nonce, ownNonce, sealNonce] = [fill(1, 16), fill(2, 16), fill(3)];
  const seals = [
    { direction: "up", limitPrice: null },
    { direction: "down", limitPrice: 1_084_120n as Points },
  ] as const;
  const terms = '{"direction":"up","duration":60,"limitPrice":null,"symbol":"EURUSD","v":2}';
  const own = '{"clientOrderId":"c","wallet":"real"}';
  const [termsMade, ownMade] = [termsHash(hashes, nonce, terms), privateHash(hashes, ownNonce, own)];
  const commitment = orderCommitment(hashes, termsMade, ownMade);
  const refusal = refusalCommitment(hashes, termsMade, ownMade);
  const order = '{"clientOrderId":"c","v":1}';
  const former = formerOrderCommitment(hashes, nonce, order);
  const tree = merkleRoot(hashes, [commitment, refusal]);
  const lines = "BTCUSD,7,1763700000500,9700000\nEURUSD,7,1763700000500,1085000";
  await expect(
    textOfVectors({
      order: {
        nonce: toHex(nonce),
        terms,
        ownNonce: toHex(ownNonce),
        own,
        commitment: toHex(commitment),
        refusal: toHex(refusal),
      },
      formerOrder: { nonce: toHex(nonce), order, commitment: toHex(former) },
      seals: seals.map(({ direction, limitPrice }) => ({
        nonce: toHex(sealNonce),
        direction,
        limitPrice: limitPrice === null ? null : Number(limitPrice),
        seal: toHex(sealOf(hashes, sealNonce, { direction, limitPrice })),
      })),
      batches: [
        {
          v: 2,
          batch: 5,
          acceptedAt: 1_763_700_000_000,
          orders: 1,
          commitments: [commitment, refusal].map(toHex),
          root: toHex(batchRoot(hashes, 5n, 1_763_700_000_000n as Instant, 1, tree)),
        },
        {
          v: 1,
          batch: 4,
          acceptedAt: 1_763_700_000_000,
          orders: 1,
          commitments: [toHex(former)],
          root: toHex(formerBatchRoot(hashes, 4n, 1_763_700_000_000n as Instant, merkleRoot(hashes, [former]))),
        },
      ],
      slots: [
        {
          previous: toHex(fill(0)),
          roots: [toHex(fill(8))],
          lines,
          hash: toHex(slotHead(hashes, fill(0), [fill(8)], lines)),
        },
      ],
    }),
  ).toMatchFileSnapshot(fileOf("orders"));
});

it("deciding an order", async () => {
  const ticks = ["10,1000,100", "11,2000,101", "12,61500,99", "13,63000,101"].join("\n");
  const cases = [
    { acceptedAt: 1_000, direction: "up", duration: 60, limitPrice: null },
    { acceptedAt: 1_000, direction: "down", duration: 60, limitPrice: null },
    { acceptedAt: 1_000, direction: null, duration: 60, limitPrice: null },
    { acceptedAt: 1_000, direction: "up", duration: 61, limitPrice: 101 },
    { acceptedAt: 1_000, direction: "up", duration: 60, limitPrice: 100 },
    { acceptedAt: 1_000, direction: "down", duration: 60, limitPrice: 102 },
    { acceptedAt: 1_000, direction: "up", duration: 30, limitPrice: null },
    { acceptedAt: 2_000, direction: "up", duration: 60, limitPrice: null },
    { acceptedAt: 61_000, direction: "up", duration: 1, limitPrice: null },
    { acceptedAt: 63_000, direction: "up", duration: 1, limitPrice: null },
  ] as const;
  const decided = cases.map(({ acceptedAt, direction, duration, limitPrice }) => {
    const terms = {
      acceptedAt: BigInt(acceptedAt) as Instant,
      direction,
      durationSeconds: duration,
      limitPrice: (limitPrice === null ? null : BigInt(limitPrice)) as Points | null,
    };
    const row = ticks
      .split("\n")
      .map((line) => line.split(",").map(BigInt))
      .map(([seq = 0n, time = 0n, price = 0n]) => ({ seq, time: time as Instant, price: price as Points }));
    const decision = decideOrder(terms, 400n, row);
    const made = decision.state === "decided" ? decision.decided : null;
    const is = made && {
      outcome: made.outcome,
      voidReason: made.voidReason,
      entrySeq: made.entry && Number(made.entry.seq),
      exitSeq: made.exit && Number(made.exit.seq),
    };
    return { acceptedAt, direction, duration, limitPrice, decided: is };
  });
  await expect(textOfVectors({ ticks, staleExitMs: 400, orders: decided })).toMatchFileSnapshot(fileOf("deciding"));
});

it("the simulated market", async () => {
  const instruments = FIRST_SM1_PARAMS.filter(({ symbol }) => ["EURUSD", "BTCUSD"].includes(symbol));
  const params = textOf("params", {
    epochMs: 600_000,
    instruments: instruments.map(paramsOf),
    model: "SM1",
    tickMs: 500,
  });
  const [seed, source, e] = [fill(0x11), fill(0x22), 7n];
  const paramsHash = hashes.sha256(utf8(params));
  const mix = sm1Mix(hashes, source);
  const key = sm1EpochKey(hashes, e, seed, mix);
  const walks = instruments.map((one) => {
    const from = sm1Start(one);
    const ticks = sm1EpochTicks(hashes, one, key, from);
    const last = ticks.at(-1)!;
    return {
      symbol: one.symbol,
      from: [from.x.toString(), from.regime],
      prices: [0, 1, 2, 1199].map((t) => [t, Number(ticks[t]!.mid)]),
      digest: toHex(sm1Digest(hashes, e, ticks)),
      end: [last.state.x.toString(), last.state.regime],
    };
  });
  await expect(
    textOfVectors({
      params,
      e: 7,
      seed: toHex(seed),
      source: toHex(source),
      commit: toHex(sm1Commit(hashes, e, seed, paramsHash)),
      mix: toHex(mix),
      walks,
    }),
  ).toMatchFileSnapshot(fileOf("simulated-market"));
});

it("a beacon", async () => {
  // drand's public chain quicknet and a round that it signed.
  const key = hex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
      "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  );
  const real = hex("b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39");
  const secret = newBeaconSecret(new Uint8Array(48).fill(0x42));
  const own = beaconPublicKey(secret);
  const infinity = Uint8Array.from([0xc0, ...new Uint8Array(47)]);
  const outside = Uint8Array.from([0x80, ...new Uint8Array(46), 4]);
  const cases = [
    ["of drand's public chain", key, 1_000, real],
    ["another number", key, 1_001, real],
    ["another chain", own, 1_000, real],
    ["of a chain of one's own", own, 77, signRound(hashes, secret, 77n)],
    ["the zero of the group", own, 77, infinity],
    ["a point outside the group", own, 77, outside],
  ] as const;
  const rounds = cases.map(([what, publicKey, round, signature]) => {
    const holds = verifyRound(hashes, publicKey, { round: BigInt(round), signature });
    return { what, key: toHex(publicKey), round, signature: toHex(signature), holds };
  });
  expect(rounds.map(({ holds }) => holds)).toEqual([true, false, false, true, false, false]);
  const window = toHex(sm2WindowKey(hashes, fill(0x11), 1_000n, real));
  const windows = [{ instrumentKey: toHex(fill(0x11)), round: 1_000, signature: toHex(real), window }];
  const world = await makeWorld(hashes, [], { symbols: ["EURUSD"], beacon: { secret, missing: [5, 199] } });
  const entryOf = (kind: string) => world.entries.find((each) => each.kind === kind)!.text;
  const minutes = [...world.files].filter(([path]) => path.startsWith("prices/EURUSD/"));
  const prices = new Map(
    minutes.flatMap(([, lines]) =>
      new TextDecoder()
        .decode(lines)
        .split("\n")
        .map((line) => line.split(","))
        .map(([, time, price]) => [Number(time), Number(price)] as const),
    ),
  );
  const start = Number(/"start":(\d+)/.exec(entryOf("epoch.open"))![1]);
  const mids = [0, 1, 29, 30, 35, 36, 1_193, 1_194].map((t) => [t, prices.get(start + t * 500) ?? null]);
  expect(mids.map(([, mid]) => mid === null)).toEqual([false, false, false, true, true, false, false, true]);
  const epoch = { params: entryOf("params"), open: entryOf("epoch.open"), reveal: entryOf("epoch.reveal"), mids };
  await expect(textOfVectors({ rounds, windows, epoch })).toMatchFileSnapshot(fileOf("beacon"));
});

it("signed quotes", async () => {
  const update = parsePythUpdate(hex(REAL_UPDATE))!;
  const { message, branch } = update.leaves[0]!;
  const guardians = { set: 4, quorum: 13, guardians: GUARDIAN_SET_4, chain: 26, emitter: toHex(PYTH_EMITTER) };
  const opened = openVaa(update.vaa, { ...guardians, guardians: GUARDIAN_SET_4.map(hex), emitter: PYTH_EMITTER });
  if (!opened.ok) throw new Error(opened.fault);
  expect(isInPythTree(update.leaves[0]!, opened.signed.root)).toBe(true);
  const points = Number(pythPoints(parsePythPrice(message)!, 2));
  const quote = { vaa: update.vaa, message, branch };
  await expect(
    textOfVectors({
      guardians,
      vaa: toBase64(update.vaa),
      root: toHex(opened.signed.root),
      message: toBase64(message),
      branch: toBase64(branch),
      digits: 2,
      points,
      hash: toHex(quoteHash(hashes, quote)),
    }),
  ).toMatchFileSnapshot(fileOf("signed-quotes"));
});

it("when a receipt is due", async () => {
  const acceptedAt = 1_763_700_000_000n;
  const expiry = acceptedAt + 70_000n;
  const week = 604_800_000n;
  const logAt = expiry + 2n * week;
  const due = (what: string, isSealed: boolean, revealedAt: bigint | null, settledAt: bigint | null) => ({
    what,
    acceptedAt: Number(acceptedAt),
    duration: 60,
    sealed: isSealed,
    revealedAt: revealedAt === null ? null : Number(revealedAt),
    settledAt: settledAt === null ? null : Number(settledAt),
    logAt: Number(logAt),
    due: Number(receiptDue({ acceptedAt, durationSeconds: 60, isSealed, revealedAt, settledAt }, logAt)),
  });
  const orders = [
    due("an order in the open", false, null, null),
    due("one that was settled late", false, null, expiry + 5_000n),
    due("one that is said to be settled after the log's end", false, null, logAt + 60_001n),
    due("a sealed one that was not revealed", true, null, null),
    due("one that was revealed before its expiry", true, acceptedAt + 1_000n, null),
    due("one that was revealed days later", true, expiry + 86_400_000n, null),
    due("one that is said to be revealed after the time for it", true, expiry + week + 1n, null),
    due("one that was settled unrevealed", true, null, expiry + week + 9_000n),
  ];
  await expect(textOfVectors({ incompleteMs: Number(INCOMPLETE_MS), orders })).toMatchFileSnapshot(fileOf("due"));
});

it("a removed device", async () => {
  const device = formatId("device", 7n as DeviceId);
  const member = formatId("member", TEST_MEMBER);
  const hash = testDeviceHash(hashes);
  const removedAt = 1_763_700_000_000n;
  const remove = (at: bigint, of = hash) => canonicalJson({ at, hash: toHex(of), kind: "device.remove", v: 1 });
  const add = canonicalJson({ at: removedAt - 90_000n, hash: toHex(hash), kind: "device.add", v: 1 });
  const accepted = (what: string, after: bigint, ...entries: string[]) => {
    const acceptedAt = removedAt + after;
    const found = findRemoval(entries.map(utf8), hash);
    return {
      what,
      entries,
      removedAt: found === null ? null : Number(found),
      acceptedAt: Number(acceptedAt),
      holds: !isAfterRemoval(acceptedAt as Instant, found),
    };
  };
  const orders = [
    accepted("an order whose device was never removed", 90_000n, add),
    accepted("one before the removal", -1n, add, remove(removedAt)),
    accepted("one 3,000 ms after the removal", 3_000n, add, remove(removedAt)),
    accepted("one 3,001 ms after the removal", 3_001n, add, remove(removedAt)),
    accepted("one after another device's removal", 90_000n, add, remove(removedAt, fill(1))),
    accepted("one whose device was removed twice", 3_001n, add, remove(removedAt + 60_000n), remove(removedAt)),
    accepted("one after a removal that is no entry", 90_000n, add, `${remove(removedAt)} `),
  ];
  expect(orders.map(({ holds }) => holds)).toEqual([true, true, true, false, true, false, true]);
  const key = Buffer.from(TEST_DEVICE.key).toString("base64url");
  const told = { device, key, member, nonce: toHex(TEST_DEVICE.nonce), hash: toHex(hash) };
  const removedWithinMs = Number(REMOVED_WITHIN_MS);
  await expect(textOfVectors({ removedWithinMs, device: told, orders })).toMatchFileSnapshot(fileOf("devices"));
});

it("entries", async () => {
  const beaconWorld = await makeWorld(hashes, [], { symbols: ["EURUSD"], beacon: { secret: TEST_BEACON } });
  const params = beaconWorld.entries.find(({ kind }) => kind === "params")!.text;
  const worlds = await Promise.all([
    makeWorld(hashes, [{ at: 30_130n }]),
    makeWorld(hashes, [{ at: 30_130n }], { isFormer: true }),
  ]);
  const all = worlds.flatMap(({ entries }) => entries);
  const first = [...Map.groupBy(all, ({ kind, text }) => kind + text.slice(-6)).values()].map(([each]) => each!.text);
  first.push(params);
  const settled = first.find((text) => text.includes('"orders.settle"') && text.endsWith('"v":2}'))!;
  const accepted = first.find((text) => text.includes('"orders.accept"') && text.endsWith('"v":2}'))!;
  first.push(
    canonicalJson({ app: "ab".repeat(32), at: 1, files: 3, kind: "release", v: 1, verifier: null }),
    canonicalJson({ app: "ab".repeat(32), at: 1, files: 3, kind: "release", v: 1, verifier: "cd".repeat(32) }),
  );
  const incident = { at: 9, from: 1, kind: "incident", part: "house", reason: "it was down", to: 9, v: 1 };
  first.push(
    canonicalJson(incident),
    canonicalJson({ ...incident, orders: 4, part: "settlement" }),
    canonicalJson({ ...incident, part: "source", symbol: "EURUSD" }),
  );
  const refused = [
    canonicalJson({ ...incident, to: 10 }),
    canonicalJson({ ...incident, from: 9 }),
    canonicalJson({ ...incident, part: "source" }),
    canonicalJson({ ...incident, symbol: "EURUSD" }),
    canonicalJson({ ...incident, reason: "two\nlines" }),
    canonicalJson({ ...incident, part: "nobody" }),
    canonicalJson({ app: "ab".repeat(32), at: 1, files: 3, kind: "release", v: 1 }),
    canonicalJson({ app: null, at: 1, files: 3, kind: "release", v: 1, verifier: null }),
    settled.replace('"voidReason":null', '"voidReason":"STALE_EXIT"'),
    settled.replace(',"voidReason":null', ""),
    settled.replace('"sealNonce":null', `"sealNonce":"${"ab".repeat(32)}"`),
    settled.replace('"direction":"up"', '"direction":null'),
    settled.replace('"v":2}', '"v":3}'),
    accepted.replace('"open":1', '"open":2'),
    accepted.replace('"reasons":{}', '"reasons":{"LATE":1}'),
    accepted.replace(/"commitments":"[^"]+"/, '"commitments":""'),
    accepted.replace('"acceptedAt":', '"acceptedAt": '),
    canonicalJson({ at: 1, hash: "AB".repeat(32), kind: "device.add", v: 1 }),
    canonicalJson({ at: 1, kind: "unheard.of", v: 1 }),
    params.replace('"model":"SM2"', '"model":"SM1"'),
    params.replace(/"beacon":\{[^}]+\},/, ""),
    params.replace('"period":3', '"period":0'),
    params.replace("bls-unchained-g1-rfc9380", "pedersen-bls-unchained"),
  ];
  expect(first.filter((text) => !parseLogEntry(utf8(text)).ok)).toEqual([]);
  expect(refused.filter((text) => parseLogEntry(utf8(text)).ok)).toEqual([]);
  await expect(textOfVectors({ accepted: first, refused })).toMatchFileSnapshot(fileOf("entries"));
});
