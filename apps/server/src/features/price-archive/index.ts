export { exportOldTicks, startPriceExport, TICKS_KEPT_DAYS } from "./export-ticks.ts";
export { openPriceArchive, type PriceArchive } from "./price-archive.ts";
export { readFolder } from "./price-file.ts";
