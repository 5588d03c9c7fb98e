#!/usr/bin/env node
import { run } from "./run.ts";
import { startWitness, WITNESS_USAGE } from "./witness-command.ts";

const args = process.argv.slice(2);
try {
  if (args[0] === "witness") await witness(args.slice(1));
  else {
    const { lines, exitCode } = await run(args);
    process.stdout.write(`${lines.join("\n")}\n`);
    process.exitCode = exitCode;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 3;
}

async function witness(rest: readonly string[]): Promise<void> {
  const running = await startWitness(rest);
  if (running === null) {
    process.stdout.write(WITNESS_USAGE);
    process.exitCode = rest.includes("--help") ? 0 : 3;
    return;
  }
  process.stdout.write(`witness ${running.key}\nlistens at ${running.url}\n`);
  const end = () => {
    void running.close().then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  // If another program started this one over IPC, exit together with it.
  process.once("disconnect", end);
  process.send?.({ url: running.url, key: running.key });
}
