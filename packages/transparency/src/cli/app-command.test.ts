import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatPolicy } from "../policy-text.ts";
import { releaseList } from "../release-list.ts";
import { COSIGNED_AT, makeWorld, POLICY, type TestEntry, type World } from "../testing.ts";
import { START } from "../testing-house.ts";
import { openTileTree } from "../tile-tree.ts";
import { formatTlogProof } from "../tlog-proof.ts";
import { run, type Outcome } from "./run.ts";

const [OLD, NEW, TARBALL] = ["<p>older</p>", "<p>newer</p>", "a tarball"];
const hashOf = (content: string) => toHex(nodeHashes.sha256(utf8(content)));

/** What a release serves: its page and its verifier, null for neither. */
interface Build {
  readonly page: string | null;
  readonly verifier: string | null;
}

const listOf = ({ page }: Build) => (page === null ? "" : releaseList([{ path: "/index.html", sha256: hashOf(page) }]));

let folder: string;
let server: Server;
let address: string;
/** What the house serves, by path. */
const served = new Map<string, Uint8Array>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairtick-app-"));
  await writeFile(join(folder, "keys"), formatPolicy(POLICY).join("\n"));
  server = createServer((request, response) => {
    const bytes = served.get(request.url ?? "");
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => served.clear());

/** Makes a log with those releases, a minute apart, which is served together with the `shown` one's proof. */
async function serveLog(builds: readonly Build[], shown: number): Promise<World> {
  const entries = builds.map((build, place): TestEntry => {
    const at = START + 1_000n + BigInt(place) * 60_000n;
    const verifier = build.verifier === null ? null : hashOf(build.verifier);
    const files = build.page === null ? 0 : 1;
    return { time: at, kind: "release", fields: { app: hashOf(listOf(build)), at, files, verifier } };
  });
  const world = await makeWorld(nodeHashes, [], {
    change: (all) => [...all, ...entries].toSorted((left, right) => Number(left.time - right.time)),
  });
  const indexes = world.entries.flatMap(({ kind }, index) => (kind === "release" ? [index] : []));
  const [build, index = -1] = [builds[shown], indexes[shown]];
  const path = await openTileTree(nodeHashes, world, world.size).inclusionProof(index);
  const proof = formatTlogProof({ index, path, checkpoint: world.checkpoint });
  const list = build === undefined ? "" : listOf(build);
  world.files.set("release", utf8(JSON.stringify({ entry: world.entries[index]?.text, list, proof })));
  for (const [name, bytes] of world.files) served.set(`/log/${name}`, bytes);
  return world;
}

function serveBuild({ page, verifier }: Build): void {
  for (const path of page === null ? [] : ["/", "/index.html"]) served.set(path, utf8(page ?? ""));
  if (verifier !== null) served.set("/verifier.tgz", utf8(verifier));
}

const SOON = Number(COSIGNED_AT) * 1_000 + 2_000;

async function compare(now = SOON, ...more: string[]): Promise<Outcome & { readonly verdict: string | undefined }> {
  const outcome = await run(["app", address, "--keys", join(folder, "keys"), ...more], () => now);
  return { ...outcome, verdict: outcome.lines.at(-1) };
}

const SAME = { exitCode: 0, verdict: "SERVED AS LOGGED" };
const OTHER = { exitCode: 1, verdict: "NOT SERVED AS LOGGED" };

describe("fairtick app", () => {
  it("accepts what the log's newest release names", async () => {
    const newest = { page: NEW, verifier: TARBALL };
    await serveLog([{ page: OLD, verifier: null }, newest], 1);
    serveBuild(newest);
    expect(await compare()).toMatchObject(SAME);
    served.set("/", utf8(OLD));
    expect(await compare()).toMatchObject(OTHER);
  });

  it("refuses a release that a later one followed", async () => {
    const older = { page: OLD, verifier: null };
    await serveLog([older, { page: NEW, verifier: null }], 0);
    serveBuild(older);
    const outcome = await compare();
    expect(outcome).toMatchObject(OTHER);
    expect(outcome.lines.join("\n")).toMatch(
      /^fault {3}releases at entry \d+: the release of 2025-11-21T04:41:01.000Z is newer than the one shown$/m,
    );
  });

  it("refuses a log that has stood still, since a newer release may be missing from it", async () => {
    const only = { page: OLD, verifier: null };
    const world = await serveLog([only], 0);
    serveBuild(only);
    const outcome = await compare(SOON + 3_600_000);
    expect(outcome).toMatchObject(OTHER);
    expect(outcome.lines.join("\n")).toContain("fault   checkpoint: the log has stood still since");
    served.set("/log/checkpoint", utf8(world.checkpoint.split("\n").slice(0, 5).join("\n") + "\n"));
    await expect(compare()).rejects.toThrow("the log's newest checkpoint doesn't count: 0 of 1 witnesses cosigned");
  });

  it("refuses a release that the newest checkpoint doesn't have at its place", async () => {
    const only = { page: OLD, verifier: null };
    await serveLog([only], 0);
    serveBuild(only);
    const other = await makeWorld(nodeHashes, [{ at: 30_130n }]);
    for (const [name, bytes] of other.files) served.set(`/log/${name}`, bytes);
    const outcome = await compare();
    expect(outcome).toMatchObject(OTHER);
    expect(outcome.lines.join("\n")).toContain("the log's newest checkpoint has another entry there");
  });

  it("refuses a page and a verifier where the release names none", async () => {
    const nothing = { page: null, verifier: null };
    await serveLog([nothing], 0);
    expect(await compare()).toMatchObject(SAME);
    serveBuild({ page: OLD, verifier: TARBALL });
    const outcome = await compare();
    expect(outcome).toMatchObject(OTHER);
    expect(outcome.lines.filter((line) => line.startsWith("differs"))).toEqual([
      `differs /: ${hashOf(OLD)}; the log has nothing there`,
      `differs /index.html: ${hashOf(OLD)}; the log has nothing there`,
      `differs /verifier.tgz: ${hashOf(TARBALL)}; the log has nothing there`,
    ]);
  });
});
