import { type ChildProcess, fork } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActName, Places, Told } from "./acts.ts";
import type { Order } from "./child.ts";

/** Kills processes in the middle of an act. */
export interface Killer {
  /** Runs an act in a process that dies at the point. Returns `SIGKILL`, or the act's answer if it reached its end. */
  run<Name extends ActName>(places: Places, act: Name, told: Told<Name>, point: string): Promise<string>;
  close(): void;
}

/** How many started processes wait for their act: while a test checks the tables, the next process starts. */
const WAITING = 2;

export function openKiller(): Killer {
  const waiting: ChildProcess[] = [];
  function start(): ChildProcess {
    return fork(join(import.meta.dirname, "child.ts"), {
      serialization: "advanced",
      stdio: "ignore",
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "fairtick-crash-children") },
    });
  }
  return {
    async run(places, act, told, point) {
      while (waiting.length < WAITING) waiting.push(start());
      const child = waiting.shift();
      if (child === undefined) throw new Error("no process waits");
      let said = "nothing";
      child.on("message", (message: unknown) => (said = String(message)));
      const ended = new Promise<void>((resolve) => {
        child.once("exit", () => resolve());
      });
      child.send({ places, act, told, point } satisfies Order);
      await ended;
      waiting.push(start());
      return child.signalCode ?? (child.exitCode === 0 ? said : `code ${child.exitCode}`);
    },
    close() {
      for (const child of waiting) child.kill("SIGKILL");
    },
  };
}
