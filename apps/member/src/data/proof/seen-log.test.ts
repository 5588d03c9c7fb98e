import { makeWorld, POLICY, type World } from "@fairtick/transparency/testing";
import { nodeHashes } from "@fairtick/domain/node";
import { beforeAll, expect, it } from "vitest";
import { keepSeenLog, seenLog } from "./seen-log.ts";

let [smaller, larger]: World[] = [];
beforeAll(async () => {
  smaller = await makeWorld(nodeHashes, [], { change: (entries) => entries.slice(0, -1) });
  larger = await makeWorld(nodeHashes, []);
});

it("keeps the larger checkpoint, whichever of two tabs finishes last", () => {
  expect(seenLog()).toBeNull();
  keepSeenLog(smaller?.checkpoint ?? "", POLICY);
  expect(seenLog()).toBe(smaller?.checkpoint);
  keepSeenLog(larger?.checkpoint ?? "", POLICY);
  keepSeenLog(smaller?.checkpoint ?? "", POLICY);
  expect(seenLog()).toBe(larger?.checkpoint);
});
