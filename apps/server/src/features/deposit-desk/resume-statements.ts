import { type Rounds, startRounds } from "../../platform/rounds.ts";
import type { OperatorContext } from "../operators/index.ts";
import { resumeTakes } from "./settle-exact.ts";

const EVERY_MS = 30_000;

/** Resumes statement imports that were interrupted: at the start, and regularly until stopped. */
export function startResuming(context: Pick<OperatorContext, "databases" | "ids" | "bus" | "log">): Rounds {
  const { bus, log } = context;
  const failed = "statement imports could not be resumed; the next round tries again";
  return startRounds({ log, everyMs: EVERY_MS, failed }, async () => {
    const resumed = await resumeTakes(context, ({ memberId, depositId }) => {
      bus.publish("deposits", { members: [memberId], depositIds: [depositId] });
      bus.publish("accounts", { members: [memberId] });
    });
    if (resumed > 0) log.info({ resumed }, "interrupted statement imports were resumed");
  });
}
