import { join } from "node:path";
import { APP_NAMES, type AppName } from "../build-app.ts";
import { FamilyProblem, nodeAlone, whenKept } from "../family.ts";
import { forkPart } from "../fork-part.ts";
import { type Keeping, keepRunning, type KeptPart, runOf } from "../keep-running.ts";
import type { DevAddresses } from "./dev-addresses.ts";

const PROGRAM = join(import.meta.dirname, "serve-app.ts");
const STOP_MS_MAX = 1_000;
/** Paths forwarded to the server; all others belong to the app. */
const PATHS: Readonly<Record<AppName, string>> = {
  member: "^/(client|dev|docs|fairness|health|log|openapi|\\.well-known)([/.?]|$)",
  backoffice: "^/(operator|health)([/?]|$)",
};

/** Starts a Vite server for each app in its own process. Resolves once all of them listen. */
export async function openDevApps(addresses: DevAddresses, keeping: Keeping): Promise<ReadonlyMap<AppName, KeptPart>> {
  const opened = APP_NAMES.map(async (app): Promise<[AppName, KeptPart]> => {
    const { port, serverPort } = addresses.apps[app];
    const begin = () => {
      const place = ["--app", app, "--host", addresses.host, "--port", String(port)];
      const behind = ["--server", `http://${addresses.serverHost}:${serverPort}`, "--paths", PATHS[app]];
      const env = { ...nodeAlone(), NODE_ENV: "development", FORCE_COLOR: process.env["FORCE_COLOR"] };
      const child = forkPart(app, PROGRAM, [...place, ...behind], { env, detached: true }, keeping.following);
      const listening = new Promise<void>((done) => {
        child.on("message", (message: object) => {
          if ("kind" in message && message.kind === "listening") done();
        });
      });
      return runOf(child, whenKept(listening), STOP_MS_MAX);
    };
    const first = begin();
    const how = await Promise.race([first.ready.then(() => null), first.ended]);
    if (how !== null) throw new FamilyProblem(`The dev server of apps/${app} ended (${how}). What it said is above.`);
    const part = keepRunning({
      name: `The dev server of apps/${app}`,
      first,
      begin: async (ended) => {
        await ended;
        return begin();
      },
      ending: keeping.ending,
      say: keeping.say,
      waitsForChange: true,
    });
    return [app, part];
  });
  const results = await Promise.allSettled(opened);
  const failed = results.find((result) => result.status === "rejected");
  const parts = new Map(results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
  if (failed === undefined) return parts;
  await Promise.all([...parts.values()].map((part) => part.stop()));
  throw failed.reason;
}
