/**
 * A process that a test kills. It is started early and waits until it is told which act to perform and where to die, so
 * that tests don't wait for its start.
 */
import { flushCompileCache } from "node:module";
import { callNode } from "@fairtick/test-chain";
import { armCrashPoint } from "../../platform/crash-point.ts";
import { openActs, type Places } from "./acts.ts";

export interface Order {
  readonly places: Places;
  readonly act: string;
  readonly told: object;
  readonly point: string;
}

// Write the compile cache now, since a killed process leaves none for the next.
flushCompileCache();
process.on("disconnect", () => process.exit(0));
process.once("message", (order: Order) => {
  void (async () => {
    const { places, act, told, point } = order;
    const acts = openActs(places) as unknown as Readonly<Record<string, (told: object) => Promise<string>>>;
    const mine = async () => {
      await callNode(places.chain.url, "anvil_mine", ["0x1"]);
    };
    armCrashPoint(point);
    const said = (await acts[act]?.({ ...told, mine })) ?? "no such act";
    process.send?.(said, undefined, undefined, () => process.exit(0));
  })();
});
