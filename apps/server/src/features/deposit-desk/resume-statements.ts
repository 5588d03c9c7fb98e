import type { OperatorContext } from "../operators/index.ts";
import { resumeTakes } from "./settle-exact.ts";

const EVERY_MS = 30_000;

/** Goes on with statements whose import ended in its middle: at the start, and again and again, until stopped. */
export function startResuming(context: Pick<OperatorContext, "databases" | "ids" | "bus" | "log">): {
  stop(): Promise<void>;
} {
  const { bus, log } = context;
  let running: Promise<unknown> | undefined;
  const look = () => {
    running ??= resumeTakes(context, ({ memberId, depositId }) => {
      bus.publish("deposits", { members: [memberId], depositIds: [depositId] });
      bus.publish("accounts", { members: [memberId] });
    })
      .then((resumed) => {
        if (resumed > 0) log.info({ resumed }, "statements whose import had ended in its middle were gone on with");
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, "a statement's import could not be gone on with; the next round does it");
      })
      .finally(() => (running = undefined));
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
