import { join } from "node:path";
import { parseArgs } from "node:util";
import { toHex } from "@fairtick/domain";
import { openBeaconKey, startBeacon } from "../features/beacon/index.ts";
import { systemClock } from "../platform/clock.ts";

/** Runs the embedded beacon in a separate process. It has the chain's key and knows nothing else about the house. */
const { values } = parseArgs({ options: { folder: { type: "string" }, port: { type: "string", default: "0" } } });
if (values.folder === undefined) throw new Error("--folder must name the folder of the beacon's key");
const key = openBeaconKey(join(values.folder, "chain.json"), systemClock);
const running = await startBeacon(key, systemClock, { port: Number(values.port) });
process.send?.({
  url: running.url,
  key: toHex(key.chain.publicKey),
  genesis: Number(key.chain.genesis),
  period: Number(key.chain.period),
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void running.close().then(() => process.exit(0));
  });
}
// End together with the process that started this one.
process.once("disconnect", () => process.exit(0));
