import { equalBytes, type Points, type Tick } from "@fairtick/domain";
import { findRules, parseConfigTerms } from "./committed-order.ts";
import { decideOrder } from "./decide-order.ts";
import type { SettledOrder } from "./order-entry.ts";
import { failed, ok, open, type ProofCheck } from "./proof-check.ts";
import type { ProofLog } from "./proof-log.ts";

/** Decides the order again from those ticks and the configuration in the log. */
export async function decideAgain(
  log: ProofLog,
  settled: SettledOrder,
  config: number,
  ticks: readonly Tick[],
): Promise<ProofCheck> {
  const found = await log.find(config, "config");
  if ("why" in found) return failed("decided", found.why);
  const body = await log.read(`config/${found.entry.version}`);
  if (body === null || !equalBytes(log.hash(body), found.entry.hash)) {
    return failed("decided", { code: "otherRules" });
  }
  const terms = parseConfigTerms(new TextDecoder().decode(body));
  const rules = terms === null ? null : findRules(terms, settled.symbol);
  if (rules === null) return failed("decided", { code: "noProduct" });
  const decision = decideOrder(
    {
      acceptedAt: settled.acceptedAt,
      durationSeconds: settled.duration,
      direction: settled.direction,
      limitPrice: settled.limitPrice as Points | null,
    },
    rules.staleExitMs,
    ticks,
  );
  if (decision.state === "waiting") return open("decided", { code: "noNextPrice" });
  if (decision.state === "gap") return failed("decided", { code: "pricesLeftOut" });
  const { entry, exit, outcome, voidReason } = decision.decided;
  const numberOf = (tick: Tick | null) => (tick === null ? null : Number(tick.seq));
  const isSame =
    outcome === settled.outcome &&
    voidReason === settled.voidReason &&
    numberOf(entry) === settled.entrySeq &&
    numberOf(exit) === settled.exitSeq;
  return isSame ? ok("decided") : failed("decided", { code: "otherResult" });
}
