import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { depositXpub } from "@fairtick/test-chain";
import { afterAll, beforeAll, expect, it } from "vitest";

// The commands of docs/operations.md, as an operator types them on the signer's own host.

const PROJECT = resolve(import.meta.dirname, "..");
const SECRET = "a secret of at least thirty-two letters";
let folder: string;
const running: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fairtick-signer-"));
  depositXpub(folder);
});
afterAll(() => {
  for (const child of running) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

/** Starts it; returns its address and output. */
async function begin([program = "", ...options]: readonly string[], rules: object) {
  const child = spawn(program, options, {
    cwd: PROJECT,
    env: {
      PATH: process.env["PATH"],
      SIGNER_PORT: "0",
      SIGNER_SECRET: SECRET,
      SIGNER_FOLDER: folder,
      SIGNER_RULES: JSON.stringify({ chains: [], ...rules }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => (said += text.toString("utf8")));
  }
  await expect.poll(() => said, { timeout: 30_000 }).toMatch(/Signer at http:\S+, pays from 0x/);
  const url = /http:\S+(?=,)/.exec(said)?.[0] ?? "";
  return { child, url, said: () => said };
}

function newKey(): string {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
  return Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]).toString("base64url");
}

async function enrol(url: string, operator: string): Promise<{ readonly ok: boolean; readonly value?: string }> {
  const answer = await fetch(`${url}/enrol`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET}` },
    body: JSON.stringify({ operator, publicKey: newKey(), approval: null }),
  });
  return (await answer.json()) as { readonly ok: boolean; readonly value?: string };
}

it(
  "runs by npm, trusts only the first key without a colleague's approval, and says which",
  { timeout: 90_000 },
  async () => {
    const signer = await begin(["npm", "run", "--silent", "signer"], { trustFirstKey: true });
    const first = await enrol(signer.url, "opr_1");
    expect(first.ok).toBe(true);
    await expect
      .poll(signer.said)
      .toContain(`The signer believes the key ${first.value} of opr_1, without a colleague's signature.`);
    expect(await enrol(signer.url, "opr_2")).toMatchObject({ ok: false, refusal: "KEY" });
    signer.child.kill("SIGTERM");
    await expect.poll(() => fetch(signer.url).then(String, () => "gone")).toBe("gone");
  },
);

it("runs by the launcher, and trusts no new key without trustFirstKey", { timeout: 90_000 }, async () => {
  const command = ["node", "scripts/launch.mjs", "apps/signer/src/main.ts"];
  const signer = await begin(command, {});
  expect(await enrol(signer.url, "opr_1")).toMatchObject({ ok: false, refusal: "KEY" });
});
