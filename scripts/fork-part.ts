import { type ChildProcess, fork, type ForkOptions } from "node:child_process";

/** Somebody who is told of each process of a part: `npm run dev`, which restarts a part when its files change. */
export interface Following {
  /** Options of Node itself, before the program. */
  readonly execArgv: readonly string[];
  begun(part: string, child: ChildProcess): void;
}

/** Starts a process of a part, as `fork` does, and tells whoever follows. */
export function forkPart(
  part: string,
  program: string,
  args: readonly string[],
  options: ForkOptions,
  following?: Following,
): ChildProcess {
  const execArgv = [...process.execArgv, ...(following?.execArgv ?? [])];
  const child = fork(program, args, { ...options, execArgv });
  following?.begun(part, child);
  return child;
}
