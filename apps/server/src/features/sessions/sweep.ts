import type { Context } from "../../platform/context.ts";
import { sweepAttempts } from "./attempts.ts";
import { sweepDevices } from "./known-devices.ts";

const EVERY_MS = 3_600_000;

/** Drops, each hour, the tries, codes and devices that no longer count. */
export function startSweeping({ databases, clock, log }: Pick<Context, "databases" | "clock" | "log">): {
  stop(): void;
} {
  const timer = setInterval(() => {
    const now = clock.now();
    Promise.all([sweepAttempts(databases.sessions, now), sweepDevices(databases.sessions, now)]).catch(
      (error: unknown) => {
        log.warn({ err: error }, "old tries could not be dropped; the next hour does it");
      },
    );
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
