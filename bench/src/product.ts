import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../..");
const START_MS_MAX = 60_000;
const TRY_AGAIN_MS = 25;

/** The whole product, started as `npm start` does it. */
export interface Product {
  readonly url: string;
  /** Milliseconds from the command to `/health/ready`. */
  readonly readyMs: number;
  /** Process ids by name: market, server. */
  readonly pids: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Starts the product with its data and its compile cache in `folder`; a first start has no compiled sources. */
export async function startProduct(folder: string, port: number): Promise<Product> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(PROJECT, "scripts/launch.mjs"), join(PROJECT, "scripts/start.ts")], {
    cwd: PROJECT,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(folder, "compiled"),
      DATA_DIR: join(folder, "data"),
      PORT: String(port),
      CONSOLE_PORT: "0",
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolveEnded) => {
    child.once("close", () => resolveEnded());
  });
  const lines: string[] = [];
  const pids = new Map<string, number>();
  createInterface(child.stdout).on("line", (line) => {
    lines.push(line);
    const told = /^ *Process (\w+) +(\d+)$/.exec(line);
    if (told?.[1] !== undefined) pids.set(told[1], Number(told[2]));
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() - begun > START_MS_MAX) {
      child.kill("SIGTERM");
      throw new Error(`the product did not start:\n${lines.join("\n")}`);
    }
    await new Promise((wake) => setTimeout(wake, TRY_AGAIN_MS));
  }
  const readyMs = performance.now() - begun;
  return {
    url,
    readyMs,
    pids,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`);
    return ((await response.json()) as { accepting: boolean }).accepting;
  } catch {
    return false;
  }
}
