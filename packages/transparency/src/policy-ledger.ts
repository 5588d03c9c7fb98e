import { equalBytes, type Hashes } from "@fairtick/domain";
import type { LogEntryOf } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import { count, instant, parseCanonical, pick, ShapeError } from "./shape.ts";
import type { LogReader } from "./tile-tree.ts";

// The other fields of a policy are for people to read; the hash in the log binds all of them.
const policyFields = pick({ version: count, effectiveAt: instant });

/** Checks that policies' versions rise by one, are logged before they apply, and match their entries' hashes. */
export interface PolicyLedger {
  add(index: number, entry: LogEntryOf<"policy">, latest: bigint): Promise<void>;
}

export function createPolicyLedger(hashes: Hashes, reader: LogReader, report: Report): PolicyLedger {
  const newest = new Map<string, number>();
  return {
    async add(index, entry, latest) {
      const { name, version } = entry;
      const before = newest.get(name) ?? 0;
      if (version !== before + 1) {
        faultAt(report, "configurations", index, `version ${version} of ${name} follows ${before}`);
      }
      newest.set(name, version);
      if (latest > entry.effectiveAt && version > 1) {
        faultAt(report, "configurations", index, `version ${version} of ${name} was written after it began to bind`);
      }
      const bytes = await reader.read(`policy/${name}/${version}`);
      if (bytes === null || !equalBytes(hashes.sha256(bytes), entry.hash) || !isVersion(bytes, entry)) {
        faultAt(report, "configurations", index, `policy/${name}/${version} is not what its entry hashes`);
      }
    },
  };
}

function isVersion(bytes: Uint8Array, entry: LogEntryOf<"policy">): boolean {
  try {
    const { version, effectiveAt } = policyFields(parseCanonical(bytes), "policy");
    return version === entry.version && effectiveAt === entry.effectiveAt;
  } catch (error) {
    if (error instanceof ShapeError) return false;
    throw error;
  }
}
