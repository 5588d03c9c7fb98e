import { utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { describe, expect, it } from "vitest";
import { openCheckpoint, signCheckpoint } from "./checkpoint.ts";
import { cosign } from "./cosignature.ts";
import { COSIGNATURE_TYPE, ED25519_TYPE, signerKey, type SignerKey } from "./keys.ts";
import { openTileTree, type TileTree } from "./tile-tree.ts";
import { EMPTY_LOG, growLog } from "./tree-edge.ts";
import {
  decideAddCheckpoint,
  formatAddCheckpoint,
  formatCosignatures,
  parseAddCheckpoint,
  readCosignatures,
  type WitnessDecision,
  type WitnessState,
} from "./witness.ts";

const log = signerKey("fairtick.example/log", ED25519_TYPE, new Uint8Array(32).fill(1));
const stranger = signerKey("fairtick.example/log", ED25519_TYPE, new Uint8Array(32).fill(2));
const key = signerKey("witness.example/w1", COSIGNATURE_TYPE, new Uint8Array(32).fill(3));
const ORIGIN = log.verifier.name;

function treeOf(entries: readonly string[]): TileTree {
  const { files } = growLog(nodeHashes, EMPTY_LOG, entries.map(utf8));
  const byPath = new Map(files.map((file) => [file.path, file.bytes]));
  return openTileTree(nodeHashes, { read: (path) => Promise.resolve(byPath.get(path) ?? null) }, entries.length);
}

const honest = Array.from({ length: 300 }, (_, index) => `entry ${index}`);
const forked = honest.map((entry, index) => (index === 7 ? "another entry" : entry));

async function submit(entries: readonly string[], oldSize: number, signer: SignerKey = log, origin = ORIGIN) {
  const tree = treeOf(entries);
  const checkpoint = signCheckpoint({ origin, size: tree.size, root: await tree.root() }, signer);
  const proof = oldSize <= tree.size ? await tree.consistencyProof(oldSize) : [];
  return formatAddCheckpoint({ oldSize, proof, checkpoint });
}

/** Makes a witness with its state, which decides and stores in one step. */
function openWitness() {
  let state: WitnessState | null = null;
  return {
    state: () => state,
    add(body: string): WitnessDecision {
      const logs = [{ origin: ORIGIN, logKeys: [log.verifier] }];
      const decision = decideAddCheckpoint(nodeHashes, body, logs, () => state);
      if (decision.status === 200) state = decision.state;
      return decision;
    },
  };
}

describe("a witness", () => {
  it("cosigns a log as it grows, and the same checkpoint again", async () => {
    const witness = openWitness();
    for (const [oldSize, size] of [
      [0, 0],
      [0, 1],
      [1, 7],
      [7, 256],
      [256, 300],
      [300, 300],
    ] as const) {
      const decision = witness.add(await submit(honest.slice(0, size), oldSize));
      expect(decision).toMatchObject({ status: 200, origin: ORIGIN, state: { size } });
    }
    expect(witness.state()?.size).toBe(300);
  });

  it("returns cosignatures, of which the writer adds the valid and known ones to its checkpoint", async () => {
    const body = await submit(honest.slice(0, 5), 0);
    const decision = openWitness().add(body);
    expect(decision.status).toBe(200);
    const text = decision.status === 200 ? decision.text : "";
    const other = signerKey("witness.example/w2", COSIGNATURE_TYPE, new Uint8Array(32).fill(8));
    const broken = { ...cosign(text, 1n, key), signature: new Uint8Array(72) };
    const answer = formatCosignatures([broken, cosign(text, 99n, key), cosign(text, 99n, other)]);
    const kept = readCosignatures(`${answer}noise\n`, text, [key.verifier]);
    expect(kept).toEqual([cosign(text, 99n, key)]);
    const published = `${parseAddCheckpoint(body)!.checkpoint}${formatCosignatures(kept)}`;
    const policy = { origin: ORIGIN, logKeys: [log.verifier], witnessKeys: [key.verifier] };
    expect(openCheckpoint(published, policy)).toMatchObject({ ok: true, witnesses: [{ time: 99n }] });
  });

  it("refuses a fork: another root for the same size, or a tree that extends another history", async () => {
    const witness = openWitness();
    witness.add(await submit(honest.slice(0, 100), 0));
    expect(witness.add(await submit(forked.slice(0, 100), 100))).toEqual({ status: 409, size: null });
    expect(witness.add(await submit(forked.slice(0, 200), 100))).toEqual({ status: 422 });
    expect(witness.state()?.size).toBe(100);
    expect(witness.add(await submit(honest.slice(0, 200), 100)).status).toBe(200);
  });

  it("refuses a rollback with any old size", async () => {
    const witness = openWitness();
    witness.add(await submit(honest.slice(0, 100), 0));
    expect(witness.add(await submit(honest.slice(0, 50), 100))).toEqual({ status: 400 });
    expect(witness.add(await submit(honest.slice(0, 50), 50))).toEqual({ status: 409, size: 100 });
    expect(witness.add(await submit(honest.slice(0, 50), 0))).toEqual({ status: 409, size: 100 });
    expect(witness.state()?.size).toBe(100);
  });

  it("returns the right size to a client that sent a wrong one", async () => {
    const witness = openWitness();
    witness.add(await submit(honest.slice(0, 100), 0));
    expect(witness.add(await submit(honest.slice(0, 200), 0))).toEqual({ status: 409, size: 100 });
    expect(witness.add(await submit(honest.slice(0, 200), 99))).toEqual({ status: 409, size: 100 });
  });

  it("refuses a missing, changed or overlong proof", async () => {
    const witness = openWitness();
    witness.add(await submit(honest.slice(0, 100), 0));
    const good = parseAddCheckpoint(await submit(honest.slice(0, 200), 100))!;
    const wrong = [[], good.proof.slice(1), good.proof.toReversed(), [...good.proof, new Uint8Array(32)]];
    for (const proof of wrong) expect(witness.add(formatAddCheckpoint({ ...good, proof }))).toEqual({ status: 422 });
    const same = parseAddCheckpoint(await submit(honest.slice(0, 100), 100))!;
    expect(witness.add(formatAddCheckpoint({ ...same, proof: [new Uint8Array(32)] }))).toEqual({ status: 422 });
  });

  it("refuses other logs, and checkpoints that are not signed with the log's key", async () => {
    const witness = openWitness();
    expect(witness.add(await submit(honest.slice(0, 5), 0, log, "elsewhere"))).toEqual({ status: 404 });
    expect(witness.add(await submit(honest.slice(0, 5), 0, stranger))).toEqual({ status: 403 });
    const bent = (await submit(honest.slice(0, 5), 0)).replace("\n5\n", "\n6\n");
    expect(witness.add(bent)).toEqual({ status: 403 });
    expect(witness.state()).toBeNull();
  });

  it.each([
    ["nothing", () => ""],
    ["no old size", (body: string) => body.replace("old 0", "")],
    ["a leading zero", (body: string) => body.replace("old 0", "old 00")],
    ["a sign", (body: string) => body.replace("old 0", "old -1")],
    ["a broken hash", (body: string) => body.replace("old 0\n", "old 0\nAAAA\n")],
    ["more than 63 hashes", (body: string) => body.replace("old 0\n", `old 0\n${`${"A".repeat(43)}=\n`.repeat(64)}`)],
    ["no checkpoint", () => "old 0\n\n"],
    ["an unsigned checkpoint", (body: string) => body.slice(0, body.indexOf("—"))],
    ["a note that is no checkpoint", (body: string) => body.replace("\n5\n", "\nfive\n")],
  ])("answers 400 to %s", async (_what, bent) => {
    expect(openWitness().add(bent(await submit(honest.slice(0, 5), 0)))).toEqual({ status: 400 });
  });
});
