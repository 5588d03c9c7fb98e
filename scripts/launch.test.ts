import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

/** A test project and a fake older Node that comes first, as on a machine that has Node 20. */
let project: string;
let oldNode: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "fairtick-launch-"));
  mkdirSync(join(project, "scripts"));
  const launcher = join(project, "scripts/launch.mjs");
  copyFileSync(resolve(import.meta.dirname, "launch.mjs"), launcher);
  oldNode = join(project, "old");
  mkdirSync(oldNode);
  // The launcher only looks at the version it runs on.
  writeFileSync(join(project, "pretend.mjs"), `Object.defineProperty(process, "version", { value: "v20.20.2" });`);
  writeFileSync(join(oldNode, "node"), `#!/bin/sh\necho v20.20.2\n`);
  chmodSync(join(oldNode, "node"), 0o755);
  writeFileSync(
    join(project, "where.ts"),
    `const where: string = process.execPath; console.log(where); process.exit(7);`,
  );
  writeFileSync(
    join(project, "wait.ts"),
    `process.on("SIGTERM", () => { console.log("asked"); process.exit(3); }); setInterval(() => {}, 1000); console.log("up");`,
  );
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

function options(path: string) {
  return { cwd: project, encoding: "utf8", env: { PATH: path } } as const;
}

function launchArguments(script: string): string[] {
  return ["--import", join(project, "pretend.mjs"), "scripts/launch.mjs", script];
}

function putNode(at: string): string {
  mkdirSync(join(at, ".."), { recursive: true });
  if (!existsSync(at)) symlinkSync(process.execPath, at);
  return at;
}

const bundled = () => join(project, "node_modules", `node-${process.platform}-${process.arch}`, "bin/node");

it("says what to install if no Node is new enough", () => {
  const result = spawnSync(process.execPath, launchArguments("where.ts"), options(`${oldNode}:/bin`));
  expect(result.status).toBe(1);
  expect(result.stderr).toMatch(/needs Node 24 or later; this is v20\.20\.2\..*npm ci.*install Node 24/);
});

it("uses the project's Node instead of an older one in the path, and passes on its exit code", () => {
  putNode(bundled());
  const result = spawnSync(process.execPath, launchArguments("where.ts"), options(`${oldNode}:/bin`));
  expect(result).toMatchObject({ status: 7, stderr: "" });
  expect(result.stdout.trim()).toBe(process.execPath);
});

it("prefers the machine's own Node if it is new enough", () => {
  const own = join(project, "own");
  mkdirSync(own);
  writeFileSync(join(own, "node"), `#!/bin/sh\n[ "$1" = --version ] && echo v26.1.0 || echo "the machine's own"\n`);
  chmodSync(join(own, "node"), 0o755);
  const result = spawnSync(process.execPath, launchArguments("where.ts"), options(`${own}:/bin`));
  expect(result.stdout.trim()).toBe("the machine's own");
});

it("needs no second process on a Node that is new enough", () => {
  const result = spawnSync(process.execPath, ["scripts/launch.mjs", "where.ts"], options("/bin"));
  expect(result).toMatchObject({ status: 7, stderr: "" });
});

it("passes on signals and ends as the script ends", async () => {
  putNode(bundled());
  const child = spawn(process.execPath, launchArguments("wait.ts"), { cwd: project, env: { PATH: oldNode } });
  let output = "";
  const ended = new Promise<number | null>((done) => child.on("exit", done));
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
    if (output === "up\n") child.kill("SIGTERM");
  });
  expect(await ended).toBe(3);
  expect(output).toBe("up\nasked\n");
});
