import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

/** A process of a benchmark that receives instructions and answers each of them once. */
export interface BenchChild {
  readonly pid: number;
  ask<Answer>(order: object): Promise<Answer>;
  /** Its first message. */
  readonly first: Promise<unknown>;
  stop(): void;
}

/** Starts a file of this folder as a process. Its answers come in the order of the instructions. */
export function startChild(file: string): BenchChild {
  const child: ChildProcess = fork(join(import.meta.dirname, file), [], { serialization: "advanced" });
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      const fail = (code: number | null) => reject(new Error(`${file} ended with ${code}`));
      child.once("exit", fail);
      child.once("message", (message) => {
        child.off("exit", fail);
        resolve(message);
      });
    });
  const first = next();
  return {
    pid: child.pid ?? 0,
    first,
    async ask<Answer>(order: object) {
      const answer = next();
      child.send(order);
      return (await answer) as Answer;
    },
    stop() {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    },
  };
}
