import {
  accept,
  changeConfig,
  type ConfigChange,
  configDifferences,
  formatMoney,
  formatRate,
  type Instant,
  refuse,
  type TradingConfig,
  type Verdict,
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
import { configFromJson, configToJson } from "../trading-config/index.ts";

/** From the approval to the first order under it: the log has it first, and batches judged by the old one are through. */
const LEAD_MS = 10_000n;

/** As stored with the proposal: the whole next version, so that what was agreed on is what binds. */
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

/** The newest versions with what each changed and who approved it, and proposals. */
export async function listConfigs(db: Queryable, now: Instant) {
  const configs = await readConfigs(db);
  const approvals = await db.query(
    `SELECT (p.body::jsonb -> 'config' ->> 'version')::integer AS version, o.operator_id AS checker_id, o.login AS checker_login, o.name AS checker_name
     FROM proposals p JOIN decisions d USING (proposal_id) JOIN operators o ON o.operator_id = d.decided_by
     WHERE p.kind = 'config' AND d.decision = 'approved'`,
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
  const listed = await listProposals(db, "config", { state: "all", limit: 100 });
  const proposals = listed.ok ? listed.value.items.map((row) => presentConfigProposal(row, configs)) : [];
  return { versions: versions.reverse().slice(0, VERSIONS_SHOWN), proposals };
}

/**
 * Proposes the next version over the newest one. Refuses what `changeConfig` refuses, and FIELD_INVALID for a date that
 * is past or not later than the newest version's: dates only grow.
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
  if (effectiveAt !== undefined && (effectiveAt <= now || effectiveAt <= newest.effectiveAt)) return invalidDate();
  const changed = changeConfig(newest, wish, {
    version: newest.version + 1,
    effectiveAt: effectiveAt ?? (0n as Instant),
  });
  if (!changed.ok) return changed;
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: "config",
    reason: wish.reason,
    body: `{"effectiveAt":${effectiveAt ?? "null"},"config":${configToJson(changed.value)}}`,
  });
  return accept(presentConfigProposal(made, configs));
}

/**
 * Approves: the version and its entry for the public log are stored, and bind at their date or in ten seconds. Beside
 * what deciding refuses: CONFLICT where another version came between or its date is too near; it is proposed anew then.
 */
export async function approveConfig(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<{ readonly proposal: ConfigProposal; readonly version: number }>> {
  const decided = await decideProposal(db, session, { kind: "config", decision: "approved", ...what });
  if (!decided.ok) return decided;
  const configs = await readConfigs(db);
  const newest = newestOf(configs);
  const { config, effectiveAt } = proposedOf(decided.value);
  if (config.version !== newest.version + 1) return refuse("CONFLICT");
  const soonest = (await databaseNow(db)) + LEAD_MS;
  const bindsAt = effectiveAt === null ? later(soonest, newest.effectiveAt + 1n) : BigInt(effectiveAt);
  if (bindsAt < soonest) return refuse("CONFLICT");
  const text = configToJson({ ...config, effectiveAt: bindsAt as Instant });
  await db.query("SELECT publish_config($1, $2)", [decided.value.proposal_id, text]);
  return accept({ proposal: presentConfigProposal(decided.value, configs), version: config.version });
}

export async function rejectConfig(
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<ConfigProposal>> {
  const decided = await decideProposal(db, session, { kind: "config", decision: "rejected", ...what });
  return decided.ok ? accept(presentConfigProposal(decided.value, await readConfigs(db))) : decided;
}

/** Orders live by the database's clock, so configurations do. */
async function databaseNow(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ now: bigint }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
  );
  return row?.now ?? 0n;
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function invalidDate(): Verdict<never> {
  return refuse("FIELD_INVALID", { field: "effectiveAt" }, { effectiveAt: "FIELD_INVALID" });
}

function presentConfigProposal(row: ProposalRow, configs: readonly TradingConfig[]): ConfigProposal {
  const { config, effectiveAt } = proposedOf(row);
  const before = configs.find(({ version }) => version === config.version - 1);
  return {
    ...presentProposal(row),
    version: config.version,
    effectiveAt,
    differences: before === undefined ? [] : configDifferences(before, config),
  };
}

function presentConfig(config: TradingConfig, current: number): ConfigVersion {
  return {
    version: config.version,
    effectiveAt: Number(config.effectiveAt),
    state: config.version === current ? "current" : config.version < current ? "past" : "coming",
    memberRunningStakeMax: formatMoney(config.memberRunningStakeMax),
    totalExposureShare: formatRate(config.totalExposureShare),
    instruments: config.instruments.map((terms) => ({
      symbol: terms.symbol,
      name: terms.name,
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
