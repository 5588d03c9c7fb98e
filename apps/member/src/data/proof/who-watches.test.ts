import { utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import {
  COSIGNATURE_TYPE,
  cosign,
  formatSignatureLine,
  formatVerifierKey,
  type LogReader,
  signerKey,
} from "@fairtick/transparency";
import { COSIGNED_AT, makeWorld, POLICY, testKey, type World } from "@fairtick/transparency/testing";
import { beforeAll, expect, it } from "vitest";
import { readWatchers } from "./who-watches.ts";

const [first] = POLICY.witnessKeys.map(formatVerifierKey);
const other = signerKey("other.example/w2", COSIGNATURE_TYPE, new Uint8Array(32).fill(9));
const second = formatVerifierKey(other.verifier);
const AT = Number(COSIGNED_AT) * 1000;
let world: World;
beforeAll(async () => {
  world = await makeWorld(nodeHashes, []);
});

function logWith(note: string, witnesses: unknown): LogReader {
  const files = new Map([
    ["checkpoint", note],
    ["witnesses", JSON.stringify({ size: 1, coversAt: 1, witnesses })],
  ]);
  return {
    async read(path) {
      const text = files.get(path);
      return text === undefined ? null : utf8(text);
    },
  };
}
const named = (key: string | undefined, at: number | null) => ({ name: "whatever", key, size: 1, at, timeless: true });

it("shows when each named witness signed, by its signature and not by the house's word", async () => {
  const text = world.checkpoint.slice(0, world.checkpoint.indexOf("\n\n") + 1);
  const both = `${world.checkpoint}${formatSignatureLine(cosign(text, COSIGNED_AT + 1n, other))}\n`;
  const log = logWith(both, [named(first, AT + 99_000), named(second, AT + 99_000)]);
  expect(await readWatchers(log, { ...POLICY, witnessKeys: [...POLICY.witnessKeys, other.verifier] })).toEqual([
    {
      name: POLICY.witnessKeys[0]?.name,
      key: first,
      signedAt: AT,
      toldAt: AT + 99_000,
      isNamed: true,
      isKept: true,
    },
    { name: "other.example/w2", key: second, signedAt: AT + 1_000, toldAt: AT + 99_000, isNamed: true, isKept: true },
  ]);
});

it("shows one that didn't sign what is published, and one that this device doesn't know", async () => {
  const log = logWith(world.checkpoint, [named(second, null), named(first, AT)]);
  expect(await readWatchers(log, POLICY)).toMatchObject([
    { key: second, signedAt: null, toldAt: null, isNamed: true, isKept: false },
    { key: first, signedAt: AT, isNamed: true, isKept: true },
  ]);
});

it("shows one that only this device knows", async () => {
  const [told] = await readWatchers(logWith(world.checkpoint, []), POLICY);
  expect(told).toMatchObject({ key: first, signedAt: AT, toldAt: null, isNamed: false, isKept: true });
});

it("shows no signatures of another log, and nothing for an invalid list", async () => {
  const stranger = { ...POLICY, logKeys: [testKey(5).verifier] };
  expect(await readWatchers(logWith(world.checkpoint, [named(first, AT)]), stranger)).toMatchObject([
    { key: first, signedAt: null },
  ]);
  const noKey = readWatchers(logWith(world.checkpoint, [named("nobody", AT)]), POLICY);
  await expect(noKey).rejects.toThrow("without its key");
  await expect(readWatchers(logWith(world.checkpoint, null), POLICY)).rejects.toThrow("does not say who watches");
});
