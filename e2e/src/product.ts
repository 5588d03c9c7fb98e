import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../..");
/** Ten times what an idle machine needs: a journey may start its own product beside others. */
const START_MS_MAX = 200_000;

/** The whole product, started as `npm start` does it, with its own folder and port. */
export interface Product {
  readonly url: string;
  /** Address of the operators' console. */
  readonly consoleUrl: string;
  readonly dataDir: string;
  /** Returns everything the product has printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts the product with `environment` merged over this process's environment, and waits until it is ready. */
export async function startProduct(environment: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), "fairtick-journey-"));
  // When run as root, the database runs as another user, who needs to enter this folder. It is deleted with its
  // contents.
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const consolePort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(PROJECT, "scripts/launch.mjs"), join(PROJECT, "scripts/start.ts")], {
    cwd: PROJECT,
    env: {
      ...process.env,
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      DATA_DIR: dataDir,
      RATE_LIMIT_FACTOR: "1000",
      // Each journey sends its own client address, as separate people would have: see `steps/journey.ts`.
      TRUSTED_PROXIES: "1",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = new Promise<void>((resolveEnded) => {
    child.once("exit", () => {
      resolveEnded();
    });
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };

  const deadline = performance.now() + START_MS_MAX;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`The product didn't start:\n${output}`);
    }
    await new Promise((wake) => {
      setTimeout(wake, 100);
    });
  }
  return { url, consoleUrl: `http://127.0.0.1:${consolePort}`, dataDir, output: () => output, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const { accepting } = (await (await fetch(`${url}/health/ready`)).json()) as { accepting: boolean };
    return accepting;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const address = server.address();
  await new Promise((closed) => {
    server.close(closed);
  });
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
