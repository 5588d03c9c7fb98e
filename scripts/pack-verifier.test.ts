import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { nodeHashes } from "@fairtick/domain/node";
import { formatPolicy } from "@fairtick/transparency";
import { makeWorld, POLICY } from "@fairtick/transparency/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packVerifier } from "./pack-verifier.ts";
import { writeTarball } from "./write-tarball.ts";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairtick-packed-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("installs from one file into an empty folder and verifies there", { timeout: 180_000 }, async () => {
  const tarball = join(folder, "verifier.tgz");
  const sha256 = await packVerifier(tarball);
  expect(
    createHash("sha256")
      .update(await readFile(tarball))
      .digest("hex"),
  ).toBe(sha256);
  const elsewhere = join(folder, "elsewhere");
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, "package.json"), "{}");
  await run("npm", ["install", tarball, "--offline", "--no-audit", "--no-fund"], { cwd: elsewhere });
  // Only the package itself, without dependencies.
  expect((await readdir(join(elsewhere, "node_modules"))).filter((name) => !name.startsWith("."))).toEqual([
    "fairtick",
  ]);
  const fairtick = async (...args: string[]) =>
    run("npx", ["--no-install", "fairtick", ...args], { cwd: elsewhere }).catch(
      (error: unknown) => error as { stdout: string },
    );

  const world = await makeWorld(nodeHashes, [{ at: 30_130n }]);
  await writeFile(join(elsewhere, "fairtick.keys"), `${formatPolicy(POLICY).join("\n")}\n`);
  const receipt = (await world.receipt(0)) as { result: object };
  await writeFile(join(elsewhere, "receipt.json"), JSON.stringify(receipt));
  expect((await fairtick("verify", "receipt.json")).stdout).toMatch(/\nVERIFIED\n$/);
  await writeFile(
    join(elsewhere, "bent.json"),
    JSON.stringify({ ...receipt, result: { ...receipt.result, profit: 1 } }),
  );
  expect((await fairtick("verify", "bent.json")).stdout).toMatch(/\nNOT VERIFIED\n$/);

  const server = createServer((request, response) => {
    const bytes = world.files.get((request.url ?? "").replace("/log/", ""));
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const { stdout } = await fairtick("verify", "--log", `http://127.0.0.1:${port}/log`);
  expect(stdout).toContain("decided 1 settlements again");
  // The test's world is in the past, but a served log has to be current.
  expect(stdout).toContain("the log has stood still since");
  server.close();
});

it("is a tarball that other programs can read, whatever its contents", async () => {
  const files = [
    { path: "package/empty", bytes: new Uint8Array() },
    { path: "package/block", bytes: new Uint8Array(512).fill(65) },
    { path: "package/bin.mjs", bytes: new Uint8Array(200_000).fill(66), isProgram: true },
  ];
  await writeFile(join(folder, "made.tgz"), writeTarball(files));
  const { stdout } = await run("tar", ["--list", "--verbose", "--gzip", "--file", join(folder, "made.tgz")]);
  const listed = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ +/));
  expect(listed.map(([mode, , size, , , path]) => [mode, size, path])).toEqual([
    ["-rw-r--r--", "0", "package/empty"],
    ["-rw-r--r--", "512", "package/block"],
    ["-rwxr-xr-x", "200000", "package/bin.mjs"],
  ]);
  const { stdout: content } = await run("tar", ["-xzOf", join(folder, "made.tgz"), "package/bin.mjs"], {
    maxBuffer: 1e6,
  });
  expect(content).toBe("B".repeat(200_000));
  expect(() => writeTarball([{ path: "x".repeat(101), bytes: new Uint8Array() }])).toThrow("too long for a tar header");
});
