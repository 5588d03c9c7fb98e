import { startLog } from "../features/log/index.ts";
import { startPriceExport } from "../features/price-archive/index.ts";
import type { Parts } from "./parts.ts";

/** Writes the public log while it has the lease, and files old prices beside it. */
export async function startLogRole({ process: process_ }: Parts): Promise<void> {
  const { health, shutdown } = process_;
  const publicLog = await startLog(process_, (reason) => {
    health.set("log", reason);
  });
  shutdown.add("public log", () => publicLog.stop());
  const filing = startPriceExport(process_, publicLog.files);
  shutdown.add("price files", () => filing.stop());
}
