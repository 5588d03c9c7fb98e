import { Counter } from "prom-client";
import type { Process } from "../../platform/context.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { readPublication } from "./log-store.ts";

/** How often the newest checkpoint is posted to the mirrors. The log publishes one every second. */
const EVERY_MS = 10_000;
const ANSWER_MS_MAX = 5_000;
/** A mirror that has accepted no checkpoint for this long is named in `/health/ready`. */
const SILENT_MS = 300_000;
const METRIC = "fairtick_checkpoint_mirror_posts_total";

type Mirroring = Pick<Process, "config" | "databases" | "clock" | "log" | "metrics" | "health">;

interface Mirror {
  readonly url: string;
  /** The last checkpoint that the mirror accepted; null before the first one. */
  taken: string | null;
  /** When the mirror last had the newest checkpoint, in monotonic milliseconds. */
  tookAt: number;
}

/**
 * Posts the newest published checkpoint to every mirror, until stopped. The house can't take back a checkpoint that others
 * hold. A mirror that doesn't accept it delays nothing: the failure is counted, and `/health/ready` names the mirror after
 * `silentMs`.
 */
export function postToMirrors(
  { config, databases, clock, log, metrics, health }: Mirroring,
  everyMs = EVERY_MS,
  silentMs = SILENT_MS,
): Rounds {
  const mirrors = config.checkpointMirrors.map((url): Mirror => ({ url, taken: null, tookAt: clock.elapsedMs() }));
  const posts = new Counter({
    name: METRIC,
    help: "Checkpoints shown to mirrors, by mirror and result",
    labelNames: ["mirror", "result"],
    registers: [metrics],
  });

  async function show(mirror: Mirror, note: string): Promise<void> {
    if (mirror.taken !== note) {
      const failure = await post(mirror.url, note);
      posts.inc({ mirror: hostOf(mirror.url), result: failure === null ? "taken" : "failed" });
      if (failure !== null)
        return log.info({ mirror: hostOf(mirror.url), failure }, "a mirror did not accept the checkpoint");
      mirror.taken = note;
    }
    mirror.tookAt = clock.elapsedMs();
  }

  const failed = "checkpoints could not be posted to mirrors";
  return startRounds({ log, everyMs, failed }, async () => {
    const published = await readPublication(databases.log);
    if (published !== null && published.size > 0)
      await Promise.all(mirrors.map((mirror) => show(mirror, published.note)));
    const silent = mirrors.filter(({ tookAt }) => clock.elapsedMs() - tookAt > silentMs);
    const names = silent.map(({ url }) => hostOf(url)).join(", ");
    health.set("mirrors", names === "" ? undefined : `no checkpoint was taken for minutes by ${names}`);
  });
}

/** Posts a checkpoint to a mirror. Returns why it was not accepted; null if it was. */
async function post(url: string, note: string): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      body: note,
      headers: { "content-type": "text/plain; charset=utf-8" },
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `HTTP ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the host of a mirror's address, for logs and metrics. The address's path may contain a secret. */
function hostOf(url: string): string {
  return new URL(url).host;
}
