import type { Clock } from "@fairtick/domain";
import type { Bus } from "../../platform/bus.ts";

/** Answers that are the same for everybody until the next tick. */
export interface AnswerCache<Answer> {
  /** What was read since the newest tick; else reads it, once for all who ask meanwhile. */
  answer(key: string, read: () => Promise<Answer>): Promise<Answer>;
}

/** Ticks may be lost on the bus: an answer is never kept longer than this. */
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
      // A failure is told to those who waited for it, and not kept.
      answer.catch(() => kept.delete(key));
      return answer;
    },
  };
}
