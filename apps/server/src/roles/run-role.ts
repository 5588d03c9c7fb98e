import { PostgresProblem } from "@fairtick/postgres";
import { ConfigError, readConfig } from "../platform/config.ts";
import { refuseSandboxPartsInLive } from "../platform/sandbox-parts.ts";
import { startProcess, type Process } from "../platform/context.ts";
import { hearEnvironment, report, type Started } from "../platform/family.ts";

/**
 * Runs one process of the family: reads settings, sets the process up, starts the role and reports to the start script. A fault
 * that a person can fix ends it with a sentence, any other with its stack, both with code 1.
 */
export async function runRole(
  name: "market" | "server",
  start: (process_: Process) => Promise<Started>,
): Promise<void> {
  let started: Process | undefined;
  await hearEnvironment();
  try {
    const config = readConfig(process.env);
    refuseSandboxPartsInLive(config);
    started = await startProcess(config, name);
    const { log } = started;
    process.on("uncaughtException", (error) => {
      // The process's state is unknown now. End it and continue from the tables at the next start.
      log.fatal({ err: error }, "an uncaught fault");
      process.exit(1);
    });
    const answer = await start(started);
    const metrics = { what: `Metrics of ${name}`, where: `http://127.0.0.1:${started.metricsPort}/metrics` };
    const places = [...answer.places, metrics];
    log.info({ places }, "ready");
    await report({ kind: "ready", ...answer, places });
  } catch (error) {
    const sentence = sentenceOf(error);
    const told = await report({ kind: "problem", sentence });
    if (!told) process.stderr.write(`${sentence}\n`);
    await started?.shutdown.run("it could not start");
    process.exit(1);
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof PostgresProblem) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EADDRINUSE" && "port" in error) {
    return `Port ${String(error.port)} is in use by another program. Stop that program, or choose another port with PORT or CONSOLE_PORT.`;
  }
  if ("code" in error && error.code === "EACCES" && "port" in error) {
    return `This user may not listen on port ${String(error.port)}. Choose one above 1023 with PORT or CONSOLE_PORT.`;
  }
  return error.stack ?? error.message;
}
