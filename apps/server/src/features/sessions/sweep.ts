import type { Context } from "../../platform/context.ts";
import { sweepFreezeTokens } from "../security-notices/index.ts";
import { sweepAttempts } from "../../platform/attempts.ts";
import { sweepDevices } from "./known-devices.ts";

const EVERY_MS = 3_600_000;

/** Deletes tries, codes, devices and links that no longer count, once an hour. */
export function startSweeping({ databases, clock, log }: Pick<Context, "databases" | "clock" | "log">): {
  stop(): void;
} {
  const timer = setInterval(() => {
    const now = clock.now();
    const { sessions } = databases;
    Promise.all([sweepAttempts(sessions, now), sweepDevices(sessions, now), sweepFreezeTokens(sessions, now)]).catch(
      (error: unknown) => {
        log.warn({ err: error }, "old tries could not be deleted; the next attempt is in an hour");
      },
    );
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
