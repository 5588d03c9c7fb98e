export { addLogPages } from "./log-pages.ts";
export { openLogKeyFiles } from "./log-keys.ts";
export { type RunningLog, startLog } from "./start-log.ts";
export { type MixReading, readMix } from "./read-mix.ts";
export { registerKey } from "./register-key.ts";
export { watchLog } from "./watch-log.ts";
export { minuteQuotes, readQuoteLines, tickQuote } from "./quote-sources.ts";
export { configBody, type MinuteLines, minuteLines } from "./log-sources.ts";
export { readPublication } from "./log-store.ts";
