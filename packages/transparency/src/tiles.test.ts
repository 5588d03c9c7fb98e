import { fromHex, merkleLeaf, merkleTree, toHex, utf8, verifyMerklePath } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signCheckpoint, type LogPolicy } from "./checkpoint.ts";
import { verifyConsistency } from "./consistency.ts";
import { decodeEntryBundle, encodeEntryBundle } from "./entry-bundle.ts";
import { ED25519_TYPE, signerKey } from "./keys.ts";
import { portableHashes } from "./portable-hashes.ts";
import { formatTilePath, newTiles, parseTilePath, tileWidth } from "./tile-path.ts";
import { openTileTree, readEntries, readLogEdge, type LogReader } from "./tile-tree.ts";
import { formatTlogProof, parseTlogProof, verifyTlogProof } from "./tlog-proof.ts";
import { EMPTY_LOG, edgeRoot, growLog, type LogEdge } from "./tree-edge.ts";

const HEX_INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const reference = HEX_INPUTS.map((hex) => fromHex(hex)!);

class MemoryLog implements LogReader {
  readonly files = new Map<string, Uint8Array>();
  edge: LogEdge = EMPTY_LOG;

  append(entries: readonly Uint8Array[]): this {
    const { log, files } = growLog(nodeHashes, this.edge, entries);
    this.edge = log;
    for (const { path, bytes } of files) this.files.set(path, bytes);
    return this;
  }

  read(path: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.files.get(path) ?? null);
  }
}

function numbered(count: number, from = 0): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => utf8(`entry ${from + index}`));
}

describe("tile paths", () => {
  it.each([
    [{ level: 0, index: 1_234_067, width: 256 }, "tile/0/x001/x234/067"],
    [{ level: 1, index: 0, width: 12 }, "tile/1/000.p/12"],
    [{ level: "entries" as const, index: 1_000, width: 255 }, "tile/entries/x001/000.p/255"],
    [{ level: 63, index: 999, width: 1 }, "tile/63/999.p/1"],
  ])("row %# is formatted and parsed", (place, path) => {
    expect(formatTilePath(place)).toBe(path);
    expect(parseTilePath(path)).toEqual(place);
  });

  it.each([
    "tile/0/x000/001",
    "tile/0/1",
    "tile/00/001",
    "tile/64/001",
    "tile/0/001.p/0",
    "tile/0/001.p/256",
    "tile/0/001.p/01",
    "tile/0/001/002",
    "tile/0/x001",
    "/tile/0/001",
    "tile/data/001",
    "tile/0/../001",
    "tile/0/001.p/1/",
  ])("%s is rejected", (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  it("name the same new tiles for 70,000 entries as the specification", () => {
    const tiles = newTiles(0, 70_000);
    expect(tiles.filter((tile) => tile.level === 0 && tile.width === 256)).toHaveLength(273);
    expect(tiles.filter((tile) => tile.width < 256)).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
    expect(newTiles(0, 256)).toEqual([
      { level: 0, index: 0, width: 256 },
      { level: 1, index: 0, width: 1 },
    ]);
    expect(newTiles(256, 256)).toEqual([]);
    expect(tileWidth(70_000, 0, 274)).toBe(0);
  });
});

describe("entry bundles", () => {
  it("consist of u16 length and entry, and malformed ones are rejected", () => {
    const bytes = encodeEntryBundle([utf8("ab"), utf8(""), new Uint8Array(300).fill(1)]);
    expect(toHex(bytes.subarray(0, 8))).toBe("000261620000012c");
    expect(decodeEntryBundle(bytes, 3)?.map((entry) => entry.length)).toEqual([2, 0, 300]);
    expect(decodeEntryBundle(bytes, 2)).toBeNull();
    expect(decodeEntryBundle(bytes.subarray(0, -1), 3)).toBeNull();
    expect(decodeEntryBundle(Uint8Array.of(0), 0)).toBeNull();
    expect(encodeEntryBundle([new Uint8Array(65_535)]).length).toBe(65_537);
    expect(() => encodeEntryBundle([new Uint8Array(65_536)])).toThrow(RangeError);
  });
});

describe("RFC 6962 vectors (google/certificate-transparency)", () => {
  const log = new MemoryLog().append(reference);
  const [A, B, C, D, E, F, G] = [
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
  ];
  const tree = (size: number) => openTileTree(nodeHashes, new MemoryLog().append(reference.slice(0, size)), size);

  it.each([
    [0, 1, []],
    [0, 8, [A, B, C]],
    [5, 8, [D, E, F]],
    [2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
    [1, 5, ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", B, D]],
  ])("inclusion of %i in %i", async (index, size, path) => {
    expect((await tree(size).inclusionProof(index)).map(toHex)).toEqual(path);
  });

  it.each([
    [1, 1, []],
    [1, 8, [A, B, C]],
    [6, 8, [G, E, F]],
    [2, 5, [B, D]],
  ])("consistency of %i and %i", async (oldSize, newSize, hashes) => {
    const proof = await tree(newSize).consistencyProof(oldSize);
    expect(proof.map(toHex)).toEqual(hashes);
    const [oldRoot, newRoot] = [await tree(oldSize).root(), await tree(newSize).root()];
    expect(verifyConsistency(nodeHashes, { oldSize, oldRoot, newSize, newRoot, proof })).toBe(true);
  });

  it("has the reference roots, in plain JavaScript too", async () => {
    expect(toHex(await openTileTree(portableHashes, log, 8).root())).toBe(
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    );
    expect(toHex(await openTileTree(portableHashes, log, 0).root())).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });
});

describe("a growing log", () => {
  it("has the same tree however it grew, and lets a writer continue from its files", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 5 }), async (steps) => {
        const log = new MemoryLog();
        for (const step of steps) {
          const from = log.edge.tree.size;
          log.edge = await readLogEdge(log, from);
          log.append(numbered(step, from));
          const stored = newTiles(from, from + step).map(formatTilePath);
          for (const path of stored) expect(log.files.has(path)).toBe(true);
        }
        const { size } = log.edge.tree;
        const plain = merkleTree(nodeHashes, numbered(size));
        expect(toHex(edgeRoot(nodeHashes, log.edge.tree))).toBe(toHex(plain.root));
        expect(toHex(await openTileTree(nodeHashes, log, size).root())).toBe(toHex(plain.root));
        for (let index = 0; index * 256 < size; index += 1) {
          const entries = await readEntries(log, size, index);
          expect(entries).toEqual(numbered(size).slice(index * 256, (index + 1) * 256));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("stores exactly the tiles that changed", () => {
    fc.assert(
      fc.property(fc.nat({ max: 700 }), fc.integer({ min: 1, max: 700 }), (before, added) => {
        const log = growLog(nodeHashes, EMPTY_LOG, numbered(before)).log;
        const { files } = growLog(nodeHashes, log, numbered(added, before));
        const tiles = files.map((file) => file.path).filter((path) => !path.startsWith("tile/entries"));
        expect(new Set(tiles)).toEqual(new Set(newTiles(before, before + added).map(formatTilePath)));
        expect(new Set(tiles).size).toBe(tiles.length);
      }),
      { numRuns: 40 },
    );
  });

  it("spans three levels of tiles", async () => {
    const log = new MemoryLog();
    for (let from = 0; from < 66_000; from += 6_000) log.append(numbered(6_000, from));
    const tree = openTileTree(nodeHashes, log, 66_000);
    const root = await tree.root();
    expect(toHex(root)).toBe(toHex(merkleTree(nodeHashes, numbered(66_000)).root));
    for (const index of [0, 255, 256, 65_535, 65_536, 65_999]) {
      const path = await tree.inclusionProof(index);
      const entry = utf8(`entry ${index}`);
      expect(verifyMerklePath(nodeHashes, { entry, index, size: 66_000, path, root })).toBe(true);
    }
    for (const oldSize of [1, 255, 256, 257, 65_536, 65_537]) {
      const oldRoot = merkleTree(nodeHashes, numbered(oldSize)).root;
      const proof = await tree.consistencyProof(oldSize);
      expect(verifyConsistency(nodeHashes, { oldSize, oldRoot, newSize: 66_000, newRoot: root, proof })).toBe(true);
    }
  });

  it("reads a deleted partial tile from the full one, and says which file is missing", async () => {
    const log = new MemoryLog().append(numbered(300)).append(numbered(212, 300));
    for (const path of log.files.keys()) if (path.includes(".p/")) log.files.delete(path);
    expect(toHex(await openTileTree(nodeHashes, log, 300).leaf(299))).toBe(
      toHex(merkleLeaf(nodeHashes, utf8("entry 299"))),
    );
    expect(await readEntries(log, 300, 1)).toHaveLength(44);
    log.files.delete("tile/0/001");
    await expect(openTileTree(nodeHashes, log, 300).leaf(299)).rejects.toThrow("tile/0/001.p/44 is missing");
    log.files.set("tile/0/000", new Uint8Array(31));
    await expect(openTileTree(nodeHashes, log, 300).leaf(0)).rejects.toThrow("tile/0/000 does not hold 256 hashes");
  });
});

describe("proofs", () => {
  it("of inclusion are valid for every index of every tree, but not with a changed or shorter path", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90 }), fc.nat(), fc.nat(), async (size, place, bit) => {
        const log = new MemoryLog().append(numbered(size));
        const tree = openTileTree(nodeHashes, log, size);
        const root = await tree.root();
        for (let index = 0; index < size; index += 1) {
          const path = await tree.inclusionProof(index);
          const proof = { entry: utf8(`entry ${index}`), index, size, path, root };
          expect(verifyMerklePath(nodeHashes, proof)).toBe(true);
          expect(verifyMerklePath(nodeHashes, { ...proof, path: bend(path, place, bit) })).toBe(path.length === 0);
          expect(verifyMerklePath(nodeHashes, { ...proof, path: path.slice(1) })).toBe(path.length === 0);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("of consistency are valid for every older tree, but not with a changed byte or for another tree", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (newSize, place, bit) => {
        const tree = openTileTree(nodeHashes, new MemoryLog().append(numbered(newSize)), newSize);
        const newRoot = await tree.root();
        for (let oldSize = 0; oldSize <= newSize; oldSize += 1) {
          const proof = await tree.consistencyProof(oldSize);
          const oldRoot = merkleTree(nodeHashes, numbered(oldSize)).root;
          const claim = { oldSize, oldRoot, newSize, newRoot, proof };
          expect(verifyConsistency(nodeHashes, claim)).toBe(true);
          expect(verifyConsistency(nodeHashes, { ...claim, proof: bend(proof, place, bit) })).toBe(proof.length === 0);
          expect(verifyConsistency(nodeHashes, { ...claim, proof: [...proof, newRoot] })).toBe(false);
          const forked = merkleTree(nodeHashes, [utf8("other"), ...numbered(oldSize).slice(1)]).root;
          expect(verifyConsistency(nodeHashes, { ...claim, oldRoot: forked })).toBe(false);
          const bentRoot = bend([newRoot], 0, bit)[0]!;
          // Every tree extends the empty one.
          expect(verifyConsistency(nodeHashes, { ...claim, newRoot: bentRoot })).toBe(oldSize === 0);
        }
        const smaller = { oldSize: newSize, oldRoot: newRoot, newSize: newSize - 1, newRoot, proof: [] };
        expect(verifyConsistency(nodeHashes, smaller)).toBe(false);
      }),
      { numRuns: 15 },
    );
  });
});

describe("a .tlog-proof", () => {
  const signer = signerKey("fairtick.example/log", ED25519_TYPE, new Uint8Array(32).fill(5));
  const policy: LogPolicy = { origin: signer.verifier.name, logKeys: [signer.verifier], witnessKeys: [] };

  async function proofOf(index: number, size: number) {
    const tree = openTileTree(nodeHashes, new MemoryLog().append(numbered(size)), size);
    const checkpoint = signCheckpoint({ origin: policy.origin, size, root: await tree.root() }, signer);
    return { index, path: await tree.inclusionProof(index), checkpoint };
  }

  it("has the specified format", async () => {
    const proof = await proofOf(1, 2);
    const text = formatTlogProof(proof);
    expect(text.startsWith("c2sp.org/tlog-proof@v1\nindex 1\n")).toBe(true);
    expect(text.split("\n")[2]).toHaveLength(44);
    expect(text.slice(text.indexOf("\n\n") + 2)).toBe(proof.checkpoint);
    expect(parseTlogProof(text)).toEqual(proof);
    const extra = { ...proof, extra: utf8("age-v1.2.1") };
    expect(formatTlogProof(extra).split("\n")[1]).toBe("extra YWdlLXYxLjIuMQ==");
    expect(parseTlogProof(formatTlogProof(extra))).toEqual(extra);
    expect(formatTlogProof({ index: 0, path: [], checkpoint: "checkpoint\n" })).toBe(
      "c2sp.org/tlog-proof@v1\nindex 0\n\ncheckpoint\n",
    );
  });

  it("proves only its own entry", async () => {
    const text = formatTlogProof(await proofOf(200, 300));
    const verified = verifyTlogProof(nodeHashes, text, utf8("entry 200"), policy);
    expect(verified).toMatchObject({ ok: true, index: 200, checkpoint: { size: 300 }, witnesses: [] });
    expect(verifyTlogProof(nodeHashes, text, utf8("entry 201"), policy)).toEqual({ ok: false, fault: "not-included" });
    const elsewhere = text.replace("index 200", "index 201");
    expect(verifyTlogProof(nodeHashes, elsewhere, utf8("entry 200"), policy)).toEqual({
      ok: false,
      fault: "not-included",
    });
    const resized = text.replace("\n300\n", "\n301\n");
    expect(verifyTlogProof(nodeHashes, resized, utf8("entry 200"), policy)).toEqual({
      ok: false,
      fault: "bad-signature",
    });
  });

  it.each([
    ["another header", (text: string) => text.replace("@v1", "@v2")],
    ["a leading zero", (text: string) => text.replace("index 2", "index 02")],
    ["no index", (text: string) => text.replace("index 2\n", "")],
    ["a hash cut short", (text: string) => text.replace("=\n", "\n")],
    ["no blank line", () => "c2sp.org/tlog-proof@v1\nindex 0\n"],
    ["bad extra data", (text: string) => text.replace("index", "extra !\nindex")],
  ])("is rejected with %s", async (_what, bent) => {
    const text = bent(formatTlogProof(await proofOf(2, 5)));
    expect(parseTlogProof(text)).toBeNull();
    expect(verifyTlogProof(nodeHashes, text, utf8("entry 2"), policy)).toEqual({ ok: false, fault: "not-a-proof" });
  });
});

/** Flips one bit of one hash; returns an empty list unchanged. */
function bend(path: readonly Uint8Array[], place: number, bit: number): Uint8Array[] {
  return path.map((hash, index) => {
    if (index !== place % path.length) return hash;
    // Copy explicitly: `slice()` of a Buffer is a view.
    const bent = Uint8Array.from(hash);
    bent[bit % 32]! ^= 1 << (bit % 8);
    return bent;
  });
}
