import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askRegistry } from "./ask-registry.ts";

const PROJECT = join(import.meta.dirname, "../..");
const TIMEOUT_MS = 180_000;

let folder: string;
let server: Server;
let registry: string;
/** The registry's response to the audit; a number is a status without a body. */
let answer: number | object;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-audit-"));
  const dependencies = { "left-over": "1.0.0" };
  const root = { name: "audited", version: "1.0.0", dependencies };
  const leftOver = { version: "1.0.0" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ ...root, lockfileVersion: 3, packages: { "": root, "node_modules/left-over": leftOver } }),
  );
  server = createServer((asked, response) => {
    asked.resume();
    const isAudit = asked.url === "/-/npm/v1/security/advisories/bulk";
    if (!isAudit || typeof answer === "number") response.writeHead(isAudit ? Number(answer) : 404).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

describe("a registry that is asked for known weaknesses", () => {
  it("says that there are none", async () => {
    answer = {};
    expect(await askRegistry("audit", folder, { registry })).toEqual({ state: "clean", said: "" });
  });

  it("names the package that has one", async () => {
    const advisory = { id: 1, url: "https://example.org/1", title: "Bad", severity: "high", vulnerable_versions: "*" };
    answer = { "left-over": [advisory] };
    const { state, said } = await askRegistry("audit", folder, { registry });
    expect([state, said]).toEqual(["found", "left-over: a weakness is known (high); see npm audit"]);
  });

  it.each([404, 405, 500, 503])("counts as silent, not as a failure, if it responds with %d", async (status) => {
    answer = status;
    expect((await askRegistry("audit", folder, { registry })).state).toBe("silent");
  });

  it("counts as silent if nobody responds in time", async () => {
    expect((await askRegistry("audit", folder, { registry: "http://127.0.0.1:9/" })).state).toBe("silent");
    const late = await askRegistry("signatures", PROJECT, { registry, waitMsMax: 1 });
    expect(late).toEqual({ state: "silent", said: "npm took too long" });
  });
});

it.each(["audit", "signatures"] as const)(
  "this machine's registry, if it responds, reports no problem in what ships: %s",
  async (question) => {
    const { state, said } = await askRegistry(question, PROJECT);
    if (state === "silent") console.warn(`${question}: the registry does not answer`);
    expect([state, said]).not.toEqual(["found", said]);
  },
  TIMEOUT_MS,
);
