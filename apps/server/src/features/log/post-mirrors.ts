import { Counter } from "prom-client";
import type { Process } from "../../platform/context.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import { readPublication } from "./log-store.ts";

/** A checkpoint comes each second; a mirror is shown one every ten. */
const EVERY_MS = 10_000;
const ANSWER_MS_MAX = 5_000;
/** A mirror that took none for so long is named in `/health/ready`. */
const SILENT_MS = 300_000;
const METRIC = "fairtick_checkpoint_mirror_posts_total";

type Mirroring = Pick<Process, "config" | "databases" | "clock" | "log" | "metrics" | "health">;

interface Mirror {
  readonly url: string;
  /** What it took last. */
  taken: string | null;
  /** Since when it has taken all that it was shown, in monotonic milliseconds. */
  tookAt: number;
}

/**
 * Shows the newest published checkpoint to every mirror, until stopped: what stands elsewhere cannot be taken back. A mirror that does not
 * take it holds up nothing and nobody; it is counted, and named once it has been silent for five minutes.
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
      if (failure !== null) return log.info({ mirror: hostOf(mirror.url), failure }, "a mirror took no checkpoint");
      mirror.taken = note;
    }
    mirror.tookAt = clock.elapsedMs();
  }

  const failed = "checkpoints could not be shown to mirrors";
  return startRounds({ log, everyMs, failed }, async () => {
    const published = await readPublication(databases.log);
    if (published !== null && published.size > 0)
      await Promise.all(mirrors.map((mirror) => show(mirror, published.note)));
    const silent = mirrors.filter(({ tookAt }) => clock.elapsedMs() - tookAt > silentMs);
    const names = silent.map(({ url }) => hostOf(url)).join(", ");
    health.set("mirrors", names === "" ? undefined : `no checkpoint was taken for minutes by ${names}`);
  });
}

/** Answers why it was not taken; null: it was. */
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

/** An address may hold a secret in its path. */
function hostOf(url: string): string {
  return new URL(url).host;
}
