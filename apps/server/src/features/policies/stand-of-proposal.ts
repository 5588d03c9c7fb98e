import { type ConfigDifference, type Instant, type JsonObject, rebaseVersion } from "@fairtick/domain";

export interface Versioned {
  readonly version: number;
  readonly effectiveAt: Instant;
}

/** How versions of one kind are stored and compared. */
export interface VersionKind<Version extends Versioned> {
  readonly toJson: (version: Version) => string;
  readonly fromJson: (text: string) => Version;
  readonly differences: (before: Version, after: Version) => ConfigDifference[];
}

/** How a proposal compares with the newest version. */
export interface Stand<Version extends Versioned> {
  /** What it changes in the version that it was based on. */
  readonly differences: ConfigDifference[];
  /** The values among these that others have changed since: from the base version's to the newest version's. */
  readonly overtaken: ConfigDifference[];
  /** The newest version with the proposal's changes, as the next version. Its date is the proposal's. */
  readonly next: Version;
  readonly mayBePublished: boolean;
}

/**
 * Applies a proposed version's changes to the newest version. `versions` are in order. Throws if the version that it
 * was based on isn't among them.
 */
export function standOfProposal<Version extends Versioned>(
  kind: VersionKind<Version>,
  proposed: Version,
  versions: readonly Version[],
): Stand<Version> {
  const base = versions.find(({ version }) => version === proposed.version - 1);
  const newest = versions.at(-1);
  if (base === undefined || newest === undefined) throw new Error("the proposal's base version is missing");
  const valuesOf = (version: Version): JsonObject => {
    const { version: _version, effectiveAt: _date, ...values } = JSON.parse(kind.toJson(version)) as JsonObject;
    return values;
  };
  const { merged, overtaken } = rebaseVersion(valuesOf(base), valuesOf(proposed), valuesOf(newest));
  const next = { ...merged, version: newest.version + 1, effectiveAt: Number(proposed.effectiveAt) };
  const differences = kind.differences(base, proposed);
  const changed = new Set(differences.map(({ what }) => what));
  return {
    differences,
    overtaken: kind.differences(base, newest).filter(({ what }) => changed.has(what)),
    next: kind.fromJson(JSON.stringify(next)),
    mayBePublished: overtaken.length === 0,
  };
}
