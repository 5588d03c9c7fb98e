export { attachStream, STREAM_PATH, type StreamOptions, type StreamServer } from "./stream-server.ts";
export { startCatchUp } from "./catch-up.ts";
export type { MemberSources } from "./member-push.ts";
export { readRunningOrderIds } from "./read-running-orders.ts";
