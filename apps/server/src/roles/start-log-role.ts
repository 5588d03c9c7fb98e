import { postToMirrors, startLog } from "../features/log/index.ts";
import { startPriceExport } from "../features/price-archive/index.ts";
import type { Parts } from "./parts.ts";

/** Starts writing the public log (while this process has the lease) and archiving old prices. */
export async function startLogRole({ process: process_ }: Parts): Promise<void> {
  const { health, shutdown } = process_;
  const publicLog = await startLog(process_, (reason) => {
    health.set("log", reason);
  });
  shutdown.add("public log", () => publicLog.stop());
  const mirrors = postToMirrors(process_);
  shutdown.add("mirrors", () => mirrors.stop());
  const filing = startPriceExport(process_, publicLog.files);
  shutdown.add("price files", () => filing.stop());
}
