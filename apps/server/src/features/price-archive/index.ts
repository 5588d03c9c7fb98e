export { exportOldTicks, startPriceExport, TICKS_KEPT_DAYS } from "./export-ticks.ts";
export { openPriceArchive, type PriceArchive } from "./price-archive.ts";
export { readFolder } from "./price-file.ts";
export { exportOldQuotes } from "./export-quotes.ts";
export { shareMinute, type ToldTicks } from "./quote-file.ts";
export { readQuoteRows, toldTicks } from "./quote-rows.ts";
