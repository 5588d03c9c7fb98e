import { nodeHashes } from "@fairtick/domain/node";
import {
  ED25519_TYPE,
  type LogReader,
  openCheckpoint,
  shortRoot,
  signCheckpoint,
  signerKey,
} from "@fairtick/transparency";
import { makeWorld, POLICY, type World } from "@fairtick/transparency/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { compareLogs } from "./compare-log.ts";
import { readPastedState, stateLink } from "./log-state.ts";

const HOUSE = "https://house.example";
const LOG_KEY = signerKey(POLICY.origin, ED25519_TYPE, new Uint8Array(32).fill(1));
let whole: World;
let shorter: World;
let other: World;

beforeAll(async () => {
  const orders = [{ at: 30_130n }, { at: 30_130n, direction: "down" as const }];
  whole = await makeWorld(nodeHashes, orders);
  shorter = await makeWorld(nodeHashes, orders, { change: (entries) => entries.slice(0, -2) });
  // The same house shows someone else a different stake.
  other = await makeWorld(nodeHashes, [{ at: 30_190n }, { at: 30_130n, direction: "down" as const }]);
});

const stateOf = ({ checkpoint }: World) => {
  const opened = openCheckpoint(checkpoint, POLICY);
  if (!opened.ok) throw new Error(opened.fault);
  return { note: checkpoint, checkpoint: opened.checkpoint };
};

/** The other device's state as it arrives here. */
const shown = (world: World) => readPastedState(stateLink(HOUSE, world.checkpoint, POLICY) ?? "") ?? "";
const compare = (log: LogReader, mine: World, theirs: string) =>
  compareLogs(nodeHashes, log, POLICY, stateOf(mine), theirs);

describe("the state of the log", () => {
  it("survives a link as the log's own signed note, and fits a QR code", () => {
    const link = stateLink(HOUSE, whole.checkpoint, POLICY) ?? "";
    expect(link.length).toBeLessThan(300);
    const note = readPastedState(`Look at this: ${link}`) ?? "";
    const opened = openCheckpoint(note, { ...POLICY, witnessKeys: [] });
    expect(opened).toMatchObject({ ok: true, checkpoint: stateOf(whole).checkpoint });
    expect(shortRoot(stateOf(whole).checkpoint)).toMatch(/^(?:[0-9a-f]{4} ){3}[0-9a-f]{4}$/);
  });

  it.each(["", "https://house.example/#/pages/fairness/index", "size=12&root=abc&sig=def&log=x"])(
    "is not read from %o",
    (text) => {
      expect(readPastedState(text)).toBeNull();
    },
  );

  it("is not read from a truncated link", () => {
    const link = stateLink(HOUSE, whole.checkpoint, POLICY) ?? "";
    for (const length of [link.length - 30, link.length - 80, link.length - 120])
      expect(readPastedState(link.slice(0, length))).toBeNull();
  });
});

describe("two devices", () => {
  it("see the same state", async () => {
    expect(await compare(whole, whole, shown(whole))).toMatchObject({ outcome: "same", more: 0 });
  });

  it("see one log, of which one device has seen more", async () => {
    expect(await compare(whole, whole, shown(shorter))).toMatchObject({ outcome: "older", more: 2 });
    expect(await compare(whole, shorter, shown(whole))).toMatchObject({ outcome: "newer", more: 2 });
  });

  it("see two logs: both notes are kept, each signed by the house", async () => {
    const found = await compare(whole, whole, shown(other));
    expect(found).toMatchObject({ outcome: "differ", mine: whole.checkpoint });
    expect(openCheckpoint(found.theirs, { ...POLICY, witnessKeys: [] })).toMatchObject({ ok: true });
    // The same holds for logs of different lengths.
    const { checkpoint } = stateOf(other);
    expect(await compare(whole, whole, signCheckpoint({ ...checkpoint, size: 3 }, LOG_KEY))).toMatchObject({
      outcome: "differ",
    });
  });

  it("can't compare a note of another key, a changed note, or one the log doesn't cover", async () => {
    const { checkpoint } = stateOf(whole);
    const stranger = signerKey(checkpoint.origin, ED25519_TYPE, new Uint8Array(32).fill(77));
    expect(await compare(whole, whole, signCheckpoint(checkpoint, stranger))).toMatchObject({ outcome: "otherLog" });
    const changed = shown(whole).replace(`\n${checkpoint.size}\n`, `\n${checkpoint.size + 1}\n`);
    expect(await compare(whole, whole, changed)).toMatchObject({ outcome: "broken" });
    const away: LogReader = { read: () => Promise.reject(new TypeError("no network")) };
    expect(await compare(away, whole, shown(shorter))).toMatchObject({ outcome: "unread" });
  });
});
