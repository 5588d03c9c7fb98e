import { equalBytes, type Hashes, type Instant } from "@fairtick/domain";
import { findRules, parseConfigTerms, type ConfigTerms } from "./committed-order.ts";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { LogReader } from "./tile-tree.ts";

const decoder = new TextDecoder();

/** Keeps the configurations of a log in order. Each is fetched and compared with the hash in its entry. */
export interface ConfigBook {
  /** Fetches `entry.version`. Reports a fault if it isn't the next one, was logged too late or has another hash. */
  add(index: number, entry: LogEntryOf<"config">, latest: bigint): Promise<void>;
  /** Returns the rules for a symbol that were in force at `at`; null where there were none. */
  rulesAt(symbol: string, at: Instant): ReturnType<typeof findRules>;
  /** Reports a fault if a batch names another configuration than the one in force when it was accepted. */
  checkNamed(index: number, batch: LogEntryOf<"orders.accept">): void;
}

export function createConfigBook(hashes: Hashes, reader: LogReader, report: Report): ConfigBook {
  const configs: ConfigTerms[] = [];
  let newest = 0;
  /** Whether batches name their configuration. `missing`: they used to and no longer do, which is reported once. */
  let naming: "never" | "always" | "missing" = "never";
  const fault = (index: number, what: string) => faultAt(report, "configurations", index, what);

  return {
    async add(index, entry, latest) {
      const { version, effectiveAt } = entry;
      if (version !== newest + 1) fault(index, `version ${version} follows ${newest}`);
      newest = version;
      if (latest > effectiveAt) fault(index, `version ${version} was written after it began to bind`);
      const bytes = await reader.read(`config/${version}`);
      const terms = bytes === null ? null : parseConfigTerms(decoder.decode(bytes));
      const isSame = bytes !== null && equalBytes(hashes.sha256(bytes), entry.hash);
      if (terms === null || !isSame || terms.version !== version || terms.effectiveAt !== effectiveAt) {
        fault(index, `config/${version} is not what its entry hashes`);
        return;
      }
      configs.push(terms);
    },
    rulesAt(symbol, at) {
      const config = configs.findLast((each) => each.effectiveAt <= at);
      return config === undefined ? null : findRules(config, symbol);
    },
    checkNamed(index, { batch, acceptedAt, config }) {
      if (config === undefined) {
        if (naming !== "always") return;
        naming = "missing";
        fault(index, `batch ${batch} names no configuration`);
        return;
      }
      if (naming === "never") naming = "always";
      const inForce = configs.findLast((each) => each.effectiveAt <= acceptedAt)?.version ?? null;
      if (config === inForce) return;
      const right = inForce === null ? "none" : `version ${inForce}`;
      fault(index, `batch ${batch} was agreed under version ${config}; in force was ${right}`);
    },
  };
}
