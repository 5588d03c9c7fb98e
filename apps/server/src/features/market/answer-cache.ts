import type { Clock } from "@fairtick/domain";
import type { Bus } from "../../platform/bus.ts";

/** Caches answers that are the same for everyone until the next tick. */
export interface AnswerCache<Answer> {
  /**
   * Returns the answer if it was read since the newest tick. Otherwise reads it, once for all callers that ask
   * meanwhile.
   */
  answer(key: string, read: () => Promise<Answer>): Promise<Answer>;
}

/** Answers are never kept longer than this, since a tick may be lost on the bus. */
const KEPT_MS_MAX = 1_000;

export function createAnswerCache<Answer>(bus: Bus, clock: Clock): AnswerCache<Answer> {
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly at: number }>();
  bus.subscribe("ticks", () => {
    kept.clear();
  });
  return {
    answer(key, read) {
      const known = kept.get(key);
      if (known && clock.elapsedMs() - known.at < KEPT_MS_MAX) return known.answer;
      const answer = read();
      kept.set(key, { answer, at: clock.elapsedMs() });
      // A failure reaches the callers that waited for it but isn't cached.
      answer.catch(() => kept.delete(key));
      return answer;
    },
  };
}
