import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHex, utf8 } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { createTestDatabase, type TestDatabase, waitUntil } from "@fairtick/testkit";
import { ROTATIONS_PATH } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runServer, type RunningServer } from "../../testing/running-server.ts";

let database: TestDatabase;
let server: RunningServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "checker-"));
  database = await createTestDatabase();
  server = await runServer(database, { LOG_ORIGIN: "house.example/log" });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const get = (path: string) => fetch(`${server.base}/log/${path}`);

async function firstBundle(): Promise<Response> {
  const size = (await (await get("checkpoint")).text()).split("\n")[1];
  return get(`tile/entries/000.p/${size}`);
}

describe("the log that the server shows to everyone", () => {
  it("is verified by the command with only its address and pinned keys", async () => {
    // The first checkpoint may come before the acceptance key's entry.
    await waitUntil("the acceptance key", async () => {
      const rotations = await get(ROTATIONS_PATH);
      return (rotations.ok && (await rotations.text()).includes("acceptance")) || null;
    });
    const [log = ""] = (await (await get("keys")).text()).split("\n");
    writeFileSync(join(folder, "keys"), `origin house.example/log\nlog ${log}\n`);
    const { lines, exitCode } = await run(["verify", "--log", `${server.base}/log`, "--keys", join(folder, "keys")]);
    expect(lines.at(-1)).toBe("VERIFIED");
    expect(exitCode).toBe(0);
    // The acceptance key was not pinned. The log's own key vouches for it.
    expect(lines[0]).toMatch(/^acceptance house\.example\/log\/acceptance\S+ follows from /);
    expect(lines[1]).toMatch(/^house\.example\/log: [1-9]/);
  });

  it("can be read by pages of any origin, and cached forever if it never changes", async () => {
    const [checkpoint, tile] = [await get("checkpoint"), await firstBundle()];
    for (const answer of [checkpoint, tile]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
    expect(tile.headers.get("cache-control")).toContain("immutable");
    expect(checkpoint.headers.get("cache-control")).not.toContain("immutable");
    expect(checkpoint.headers.get("content-type")).toContain("text/plain");
  });

  it("serves a configuration as the bytes that the log hashes", async () => {
    const bytes = new Uint8Array(await (await get("config/1")).arrayBuffer());
    const bundle = new TextDecoder().decode(await (await firstBundle()).arrayBuffer());
    expect(bundle).toContain(`"hash":"${toHex(nodeHashes.sha256(bytes))}"`);
    expect(bytes).toEqual(utf8(JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)))));
  });

  it.each([
    "config/2",
    "config/x",
    "prices/EURUSD/60000",
    "prices/eurusd/1",
    "tile/0/999",
    "tile/..%2f..%2fkeys",
    "nothing",
  ])("has no %s", async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
