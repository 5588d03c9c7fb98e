import { utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { formatVerifierKey, type LogReader, type VerifierPolicy } from "@fairtick/transparency";
import { makeRotation, pinning, rotationEntry, testKey } from "@fairtick/transparency/testing";
import { beforeEach, expect, it, vi } from "vitest";
import { keepServedKeys, pinnedKeys } from "./pinned-keys.ts";

const [first, second, stranger] = [testKey(1), testKey(2), testKey(3)] as const;
const now = () => 1_763_700_000_000;

/** Returns a log that names those keys and has those rotations. */
function serving(policy: VerifierPolicy, rotations: readonly unknown[] = []): LogReader {
  const keys = [...policy.logKeys, ...policy.witnessKeys].map(formatVerifierKey).join("\n");
  const files = new Map([
    ["keys", keys],
    ["rotations", JSON.stringify(rotations)],
  ]);
  return {
    async read(path) {
      const text = files.get(path);
      return text === undefined ? null : utf8(text);
    },
  };
}

const both: VerifierPolicy = { ...pinning(first), logKeys: [first.verifier, second.verifier] };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

it("keeps the keys of the first contact, whatever the log names later", async () => {
  await pinnedKeys(serving(pinning(first)), now);
  const later = await pinnedKeys(serving(pinning(stranger)), now);
  expect(later.policy.logKeys).toEqual([first.verifier]);
  expect(later.changed).toBe(true);
});

it("follows to a key announced by a log entry, and no longer needs the proof afterwards", async () => {
  await pinnedKeys(serving(pinning(first)), now);
  const rotation = await makeRotation(nodeHashes, rotationEntry(second), [first, second]);
  const later = await pinnedKeys(serving(both, [rotation]), now);
  expect(later).toMatchObject({ changed: false, since: now() });
  expect(later.policy.logKeys).toEqual([first.verifier, second.verifier]);
  expect((await pinnedKeys(serving(both), now)).changed).toBe(false);
});

it("reports changed keys if their entry isn't proven by the known ones", async () => {
  await pinnedKeys(serving(pinning(first)), now);
  const rotation = await makeRotation(nodeHashes, rotationEntry(second), [second]);
  const later = await pinnedKeys(serving(both, [rotation]), now);
  expect(later.changed).toBe(true);
  expect(later.policy.logKeys).toEqual([first.verifier]);
  await keepServedKeys(serving(both, [rotation]), now);
  expect((await pinnedKeys(serving(both), now)).changed).toBe(false);
});
