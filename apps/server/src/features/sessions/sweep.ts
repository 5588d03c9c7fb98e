import type { Context } from "../../platform/context.ts";
import { sweepAttempts } from "./attempts.ts";

const EVERY_MS = 3_600_000;

/** Drops, each hour, the tries and codes that no longer count. */
export function startSweeping({ databases, clock, log }: Pick<Context, "databases" | "clock" | "log">): {
  stop(): void;
} {
  const timer = setInterval(() => {
    sweepAttempts(databases.sessions, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, "old tries could not be dropped; the next hour does it");
    });
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
