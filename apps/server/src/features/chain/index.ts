export { type ChainWatchers, startChainWatchers } from "./start-watchers.ts";
