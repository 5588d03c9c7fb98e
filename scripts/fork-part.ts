import { type ChildProcess, fork, type ForkOptions } from "node:child_process";

/** Is told about each process of a part; `npm run dev` uses it to restart a part when its files change. */
export interface Following {
  /** Node's own options, before the program. */
  readonly execArgv: readonly string[];
  begun(part: string, child: ChildProcess): void;
}

/** Starts a process of a part as `fork` does, and reports it to `following`. */
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
