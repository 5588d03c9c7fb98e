/** A server that only takes uploads, as a process whose memory a test can measure: `fork(…, [databaseUrl, dataDir, memberId])`. */
import { type ErrorName, createIdSource, type MemberId, refuse } from "@fairtick/domain";
import { type MemberCall, CALLS } from "@fairtick/protocol";
import { systemClock } from "../../platform/clock.ts";
import { readConfig } from "../../platform/config.ts";
import { openDatabases } from "../../platform/context.ts";
import { createHttpServer, route } from "../../platform/http/index.ts";
import { createLog } from "../../platform/log.ts";
import { fileRoutes, openFileStore } from "./index.ts";

const [, , databaseUrl = "", dataDir = "", memberId = ""] = process.argv;
const config = { ...readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }), rateLimitFactor: 1_000 };
const log = createLog("test", "silent");
const context = { config, log, clock: systemClock, databases: openDatabases(databaseUrl, log) };
const files = await openFileStore(context, createIdSource({ node: 9, clock: systemClock }));
const notHere: ErrorName = "NOT_NOW";
const others = CALLS.filter(({ path }) => !path.startsWith("file/"));
const app = createHttpServer({
  context,
  routes: [...fileRoutes(context, files), ...others.map((call) => route<MemberCall>(call, () => refuse(notHere)))],
  authenticate: () => ({ sessionId: 1n, memberId: BigInt(memberId) as MemberId }),
  health: () => ({ ready: true, accepting: true, degraded: [] }),
});
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
// End together with the test.
process.on("disconnect", () => process.exit(0));
