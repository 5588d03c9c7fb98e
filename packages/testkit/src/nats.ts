import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { freePort } from "@fairtick/postgres";
import { findTool } from "./system-tool.ts";
import { waitUntil } from "./wait-until.ts";

const NATS = "/usr/sbin/nats-server";

export interface TestNats {
  readonly url: string;
  /** Ends the server. `start` starts it again at the same address. */
  end(): Promise<void>;
  start(): Promise<void>;
  /** Makes the server silent while its connections stay open. `resume` makes it continue. */
  pause(): void;
  resume(): void;
}

/** Starts a real NATS server on a free port of the loopback address. */
export async function startNats(): Promise<TestNats> {
  const found = findTool({ name: "the NATS server", path: NATS, packages: ["nats-server"] });
  if (!found.ok) throw new Error(found.sentence);
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(NATS, ["-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
    await waitUntil("NATS to listen", () => listens(port));
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    async end() {
      if (child === undefined) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      child = undefined;
    },
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}
