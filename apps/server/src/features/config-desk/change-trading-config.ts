import {
  accept,
  changeConfig,
  type ConfigChange,
  configDifferences,
  formatMoney,
  formatRate,
  type Instant,
  MEMBER_RUNNING_ORDERS_MAX,
  refuse,
  type TradingConfig,
  type Verdict,
  wrongConfigField,
  wrongIdentity,
} from "@fairtick/domain";
import type { ConfigProposal, ConfigVersion } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import {
  decideProposal,
  listProposals,
  makeProposal,
  type OperatorContext,
  personOf,
  presentProposal,
  type ProposalRow,
} from "../operators/index.ts";
import { offeredSources, wrongSource } from "../market/index.ts";
import { standOfProposal, stateOfVersion, type VersionKind } from "../policies/index.ts";
import { configFromJson, configToJson } from "../trading-config/index.ts";

/** Time from an approval until it takes effect, so that the log has it first and batches judged by the old version are done. */
const LEAD_MS = 10_000n;

const KIND: VersionKind<TradingConfig> = {
  toJson: configToJson,
  fromJson: configFromJson,
  differences: configDifferences,
};

/** Body of the stored proposal: the whole next version. Only its differences from the one before count. */
interface Body {
  readonly effectiveAt: number | null;
  readonly config: unknown;
}

async function readConfigs(db: Queryable): Promise<TradingConfig[]> {
  const rows = await db.query<{ body: string }>("SELECT body::text AS body FROM trading_configs ORDER BY version");
  return rows.map(({ body }) => configFromJson(body));
}

function newestOf(configs: readonly TradingConfig[]): TradingConfig {
  const newest = configs.at(-1);
  if (newest === undefined) throw new Error("no trading configuration is stored");
  return newest;
}

function proposedOf(row: ProposalRow): { config: TradingConfig; effectiveAt: number | null } {
  const body = JSON.parse(row.body) as Body;
  return { config: configFromJson(JSON.stringify(body.config)), effectiveAt: body.effectiveAt };
}

const VERSIONS_SHOWN = 50;

/** Lists the newest versions with what each of them changed and who approved it, and the proposals. */
export async function listConfigs(context: Pick<OperatorContext, "config">, db: Queryable, now: Instant) {
  const configs = await readConfigs(db);
  const approvals = await db.query<Record<string, unknown> & { version: number; proposal_id: bigint }>(
    `SELECT version, proposal_id, o.operator_id AS checker_id, o.login AS checker_login, o.name AS checker_name
     FROM published_by JOIN decisions d USING (proposal_id) JOIN operators o ON o.operator_id = d.decided_by WHERE kind = 'config'`,
  );
  const current = configs.findLast(({ effectiveAt }) => effectiveAt <= now)?.version ?? 1;
  const versions = configs.map((config, index) => {
    const before = configs[index - 1];
    const approval = approvals.find(({ version }) => version === config.version);
    return {
      ...presentConfig(config, current),
      differences: before === undefined ? [] : configDifferences(before, config),
      approvedBy: approval === undefined ? null : personOf(approval, "checker"),
    };
  });
  const databaseTime = await databaseNow(db);
  const publishedOf = (row: ProposalRow) =>
    approvals.find(({ proposal_id: proposalId }) => proposalId === row.proposal_id)?.version;
  const listed = await listProposals(db, "config", { state: "all", limit: 100 });
  const proposals = listed.ok
    ? listed.value.items.map((row) => present(row, configs, databaseTime, publishedOf(row)))
    : [];
  const { simulated, outside } = offeredSources(context.config);
  return {
    versions: versions.reverse().slice(0, VERSIONS_SHOWN),
    proposals,
    offered: { simulated, outside: [...outside] },
  };
}

/**
 * Proposes the version after the newest one. Refuses what `changeConfig` refuses, and FIELD_INVALID for a date that is in the
 * past or not later than the newest version's, or for a new instrument without a price source in this deployment.
 */
export async function proposeConfig(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  wish: ConfigChange & { readonly effectiveAt?: Instant | undefined; readonly reason: string },
): Promise<Verdict<ConfigProposal>> {
  const configs = await readConfigs(db);
  const newest = newestOf(configs);
  const now = await databaseNow(db);
  const { effectiveAt } = wish;
  if (effectiveAt !== undefined && (effectiveAt <= now || effectiveAt <= newest.effectiveAt))
    return invalid("effectiveAt");
  const changed = changeConfig(newest, wish, {
    version: newest.version + 1,
    effectiveAt: effectiveAt ?? (0n as Instant),
  });
  if (!changed.ok) return changed;
  const wrong = wrongFieldHere(context, newest, changed.value);
  if (wrong !== null) return invalid(wrong);
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "config",
    reason: wish.reason,
    body: `{"effectiveAt":${effectiveAt ?? "null"},"config":${configToJson(changed.value)}}`,
  });
  return accept(present(made, configs, now));
}

/**
 * Proposes the changes of a waiting proposal again on top of the newest version, and rejects the old proposal. A date that has
 * passed is left out. Refuses NOT_FOUND; CONFLICT if the proposal is decided; FIELD_INVALID if its figures don't fit the newest
 * version.
 */
export async function proposeConfigAgain(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<ConfigProposal>> {
  const old = await decideProposal(db, session, { kind: "config", decision: "rejected", ...what });
  if (!old.ok) return old;
  const configs = await readConfigs(db);
  const { config, effectiveAt } = proposedOf(old.value);
  const { next } = standOfProposal(KIND, config, configs);
  const wrong = wrongFieldHere(context, newestOf(configs), next);
  if (wrong !== null) return invalid(wrong);
  // Somebody else has already made exactly these changes.
  if (configDifferences(newestOf(configs), next).length === 0) return invalid("instruments");
  const now = await databaseNow(db);
  const isLate = effectiveAt !== null && isTooLate(BigInt(effectiveAt), now, newestOf(configs));
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "config",
    reason: what.reason,
    body: `{"effectiveAt":${isLate ? "null" : effectiveAt},"config":${configToJson(next)}}`,
  });
  return accept(present(made, configs, now));
}

/**
 * Approves a proposal. Stores the newest version with the proposal's changes, and its entry for the public log. It takes effect
 * at its date, or in ten seconds without one. In addition to what deciding refuses: CONFLICT if one of the changed values has
 * been changed in the meantime or the date is too near; FIELD_INVALID if its figures don't fit the newest version. It can then
 * be proposed again.
 */
export async function approveConfig(
  context: Pick<OperatorContext, "config">,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<{ readonly proposal: ConfigProposal; readonly version: number }>> {
  const decided = await decideProposal(db, session, { kind: "config", decision: "approved", ...what });
  if (!decided.ok) return decided;
  const configs = await readConfigs(db);
  const newest = newestOf(configs);
  const { config: proposed, effectiveAt } = proposedOf(decided.value);
  const { next: config, mayBePublished } = standOfProposal(KIND, proposed, configs);
  if (!mayBePublished) return refuse("CONFLICT");
  const wrong = wrongFieldHere(context, newest, config);
  if (wrong !== null) return invalid(wrong);
  const now = await databaseNow(db);
  const soonest = now + LEAD_MS;
  const bindsAt = effectiveAt === null ? later(soonest, newest.effectiveAt + 1n) : BigInt(effectiveAt);
  if (bindsAt < soonest) return refuse("CONFLICT");
  const text = configToJson({ ...config, effectiveAt: bindsAt as Instant });
  await db.query("SELECT publish_config($1, $2)", [decided.value.proposal_id, text]);
  return accept({ proposal: present(decided.value, configs, now, config.version), version: config.version });
}

export async function rejectConfig(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<ConfigProposal>> {
  const decided = await decideProposal(db, session, { kind: "config", decision: "rejected", ...what });
  return decided.ok ? accept(present(decided.value, await readConfigs(db), await databaseNow(db))) : decided;
}

/** Returns the name of a field that is out of bounds, or a new instrument's price source that this deployment doesn't have. */
function wrongFieldHere(
  { config: settings }: Pick<OperatorContext, "config">,
  newest: TradingConfig,
  config: TradingConfig,
): string | null {
  const wrong = wrongConfigField(config) ?? wrongIdentity(newest, config);
  if (wrong !== null) return wrong;
  const known = new Set(newest.instruments.map(({ symbol }) => symbol));
  for (const terms of config.instruments.filter(({ symbol }) => !known.has(symbol))) {
    const source = wrongSource(settings, terms, config.instruments);
    if (source !== null) return source;
  }
  return null;
}

/** Reads the database's clock (ms). It decides when configurations take effect, since it decides orders too. */
async function databaseNow(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ now: bigint }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
  );
  return row?.now ?? 0n;
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function invalid(field: string): Verdict<never> {
  return refuse("FIELD_INVALID", { field }, { [field]: "FIELD_INVALID" });
}

function isTooLate(effectiveAt: bigint, now: bigint, newest: TradingConfig): boolean {
  return effectiveAt < now + LEAD_MS || effectiveAt <= newest.effectiveAt;
}

function present(row: ProposalRow, configs: readonly TradingConfig[], now: bigint, published?: number): ConfigProposal {
  const { config, effectiveAt } = proposedOf(row);
  const { differences, overtaken, next } = standOfProposal(KIND, config, configs);
  const isWaiting = row.decision === null;
  return {
    ...presentProposal(row),
    version: published ?? (isWaiting ? next.version : config.version),
    effectiveAt,
    differences,
    overtaken: isWaiting ? overtaken : [],
    late: isWaiting && effectiveAt !== null && isTooLate(BigInt(effectiveAt), now, newestOf(configs)),
  };
}

function presentConfig(config: TradingConfig, current: number): ConfigVersion {
  return {
    version: config.version,
    effectiveAt: Number(config.effectiveAt),
    state: stateOfVersion(config.version, current),
    memberRunningStakeMax: formatMoney(config.memberRunningStakeMax),
    memberRunningOrdersMax: config.memberRunningOrdersMax ?? MEMBER_RUNNING_ORDERS_MAX,
    totalExposureShare: formatRate(config.totalExposureShare),
    instruments: config.instruments.map((terms) => ({
      symbol: terms.symbol,
      name: terms.name,
      decimals: terms.decimals,
      kind: terms.kind,
      suspended: terms.suspended,
      sessionHours: terms.sessionHours,
      feeRate: formatRate(terms.feeRate),
      minStake: formatMoney(terms.minStake),
      maxStake: formatMoney(terms.maxStake),
      exposureShare: formatRate(terms.exposureShare),
      durations: terms.durations.map(({ seconds, payoutRate }) => ({ seconds, payoutRate: formatRate(payoutRate) })),
    })),
  };
}
