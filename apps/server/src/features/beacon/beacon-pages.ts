import { beaconRoundAt, type BeaconTimes } from "@fairtick/domain";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Context } from "../../platform/context.ts";

/** How many rounds are cached: an hour's. */
const KEPT = 1_200;
/** Requests to the beacon at the same time. Few, so that they don't delay the round that is due. */
const AT_ONCE = 2;
const TIMEOUT_MS = 2_000;
const ROUND = /^[1-9][0-9]{0,14}$/;

/**
 * Serves the embedded beacon's rounds below `/beacon` in drand's format, so that anyone can check them. Each round is read from
 * the beacon once. Answers 503 while the beacon is unreachable.
 */
export function addBeaconPages(app: FastifyInstance, { config, clock }: Pick<Context, "config" | "clock">): void {
  const { beacon } = config;
  if (beacon === null || beacon.times === null) return;
  const { url } = beacon;
  const times: BeaconTimes = beacon.times;
  const kept = new Map<string, string>();
  let asking = 0;

  async function read(path: string): Promise<string | null> {
    const known = kept.get(path);
    if (known !== undefined) return known;
    if (asking >= AT_ONCE) return null;
    asking += 1;
    try {
      const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await answer.text();
      if (!answer.ok) return null;
      kept.set(path, text);
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return text;
    } catch {
      return null;
    } finally {
      asking -= 1;
    }
  }

  function open(reply: FastifyReply): FastifyReply {
    return reply
      .header("access-control-allow-origin", "*")
      .header("cross-origin-resource-policy", "cross-origin")
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8");
  }

  async function answer(reply: FastifyReply, path: string): Promise<FastifyReply> {
    const text = await read(path);
    if (text === null) return open(reply).code(503).header("retry-after", "1").send({ error: "the beacon is away" });
    return open(reply).send(text);
  }

  app.get("/beacon/info", (_request, reply) => answer(reply, "/info"));
  app.get<{ Params: { round: string } }>("/beacon/public/:round", (request, reply) => {
    const { round } = request.params;
    const newest = beaconRoundAt(times, clock.now());
    if (round === "latest") return answer(reply, `/public/${newest}`);
    if (!ROUND.test(round)) return open(reply).code(404).send({ error: "no such path" });
    if (BigInt(round) > newest) return open(reply).code(425).send({ error: "that round is not due yet" });
    return answer(reply, `/public/${round}`);
  });
}
