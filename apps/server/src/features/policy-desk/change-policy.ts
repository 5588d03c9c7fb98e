import { accept, type ConfigDifference, type Instant, type Refusal, refuse, type Verdict } from "@fairtick/domain";
import type { PolicyProposal, PolicyVersion } from "@fairtick/protocol/operator";
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
import type { PolicyName } from "../policies/index.ts";

/** From the approval to the moment it binds: the log has it first. */
const LEAD_MS = 10_000n;
const VERSIONS_SHOWN = 50;

export interface Versioned {
  readonly version: number;
  readonly effectiveAt: Instant;
}

/** What one policy's verbs are handed: how it is stored, and what differs between two versions of it. */
export interface PolicyKind<Policy extends Versioned> {
  readonly name: PolicyName;
  readonly toJson: (policy: Policy) => string;
  readonly fromJson: (text: string) => Policy;
  readonly differences: (before: Policy, after: Policy) => ConfigDifference[];
  /** How long it stands in the log before it binds; left out: ten seconds. */
  readonly noticeMs?: (before: Policy, after: Policy) => bigint;
  /** Why a version cannot be carried out as things are, asked when it is proposed and again when it is approved. */
  readonly refuse?: (policy: Policy) => Refusal | null;
}

/** As stored with the proposal: the whole next version, so that what was agreed on is what binds. */
interface Body {
  readonly effectiveAt: number | null;
  readonly policy: unknown;
}

async function readVersions<Policy extends Versioned>(db: Queryable, kind: PolicyKind<Policy>): Promise<Policy[]> {
  const rows = await db.query<{ body: string }>(
    "SELECT body FROM policies WHERE name = $1 ORDER BY version DESC LIMIT $2",
    [kind.name, VERSIONS_SHOWN + 1],
  );
  return rows.reverse().map(({ body }) => kind.fromJson(body));
}

function newestOf<Policy extends Versioned>(versions: readonly Policy[]): Policy {
  const newest = versions.at(-1);
  if (newest === undefined) throw new Error("no version is stored");
  return newest;
}

/** What holds now, the newest versions with what each changed and who approved it, and proposals. */
export async function listPolicy<Policy extends Versioned>(
  db: Queryable,
  kind: PolicyKind<Policy>,
): Promise<{ readonly current: Policy; readonly versions: PolicyVersion[]; readonly proposals: PolicyProposal[] }> {
  const versions = await readVersions(db, kind);
  const approvals = await db.query(
    `SELECT (p.body::jsonb -> 'policy' ->> 'version')::integer AS version, o.operator_id AS checker_id, o.login AS checker_login, o.name AS checker_name
     FROM proposals p JOIN decisions d USING (proposal_id) JOIN operators o ON o.operator_id = d.decided_by
     WHERE p.kind = $1 AND d.decision = 'approved'`,
    [kind.name],
  );
  const [row] = await db.query<{ version: number | null }>("SELECT policy_version_now($1) AS version", [kind.name]);
  const current = versions.find(({ version }) => version === row?.version) ?? newestOf(versions);
  const shown = versions.map((policy, index): PolicyVersion => {
    const before = versions[index - 1];
    const approval = approvals.find(({ version }) => version === policy.version);
    return {
      version: policy.version,
      effectiveAt: Number(policy.effectiveAt),
      state: policy.version === current.version ? "current" : policy.version < current.version ? "past" : "coming",
      differences: before === undefined ? [] : kind.differences(before, policy),
      approvedBy: approval === undefined ? null : personOf(approval, "checker"),
    };
  });
  const listed = await listProposals(db, kind.name, { state: "all", limit: 100 });
  const proposals = listed.ok ? listed.value.items.map((each) => present(kind, each, versions)) : [];
  return { current, versions: shown.reverse().slice(0, VERSIONS_SHOWN), proposals };
}

/**
 * Proposes the next version over the newest one. Refuses what `change` and the kind refuse, and FIELD_INVALID for a date that is too
 * near or not later than the newest version's: dates only grow.
 */
export async function proposePolicy<Policy extends Versioned>(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  kind: PolicyKind<Policy>,
  wish: { readonly effectiveAt?: Instant | undefined; readonly reason: string },
  change: (newest: Policy, next: Versioned) => Verdict<Policy>,
): Promise<Verdict<PolicyProposal>> {
  const versions = await readVersions(db, kind);
  const newest = newestOf(versions);
  const { effectiveAt } = wish;
  const changed = change(newest, { version: newest.version + 1, effectiveAt: effectiveAt ?? (0n as Instant) });
  if (!changed.ok) return changed;
  const refusal = kind.refuse?.(changed.value) ?? null;
  if (refusal !== null) return { ok: false, refusal };
  const soonest = (await databaseNow(db)) + noticeOf(kind, newest, changed.value);
  if (effectiveAt !== undefined && (effectiveAt <= soonest || effectiveAt <= newest.effectiveAt)) {
    return refuse("FIELD_INVALID", { field: "effectiveAt" }, { effectiveAt: "FIELD_INVALID" });
  }
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: kind.name,
    reason: wish.reason,
    body: `{"effectiveAt":${effectiveAt ?? "null"},"policy":${kind.toJson(changed.value)}}`,
  });
  return accept(present(kind, made, versions));
}

/**
 * Approves: the version and its entry for the public log are stored, and bind at their date or as soon as they may.
 * Beside what deciding and the kind refuse: CONFLICT where another version came between or its date is too near by now.
 */
export async function approvePolicy<Policy extends Versioned>(
  db: Queryable,
  session: OperatorSession,
  kind: PolicyKind<Policy>,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<PolicyProposal>> {
  const decided = await decideProposal(db, session, { kind: kind.name, decision: "approved", ...what });
  if (!decided.ok) return decided;
  const versions = await readVersions(db, kind);
  const newest = newestOf(versions);
  const { policy, effectiveAt } = proposedOf(kind, decided.value);
  if (policy.version !== newest.version + 1) return refuse("CONFLICT");
  const refusal = kind.refuse?.(policy) ?? null;
  if (refusal !== null) return { ok: false, refusal };
  const soonest = (await databaseNow(db)) + noticeOf(kind, newest, policy);
  const bindsAt = effectiveAt === null ? later(soonest, newest.effectiveAt + 1n) : BigInt(effectiveAt);
  if (bindsAt < soonest) return refuse("CONFLICT");
  const text = kind.toJson({ ...policy, effectiveAt: bindsAt as Instant });
  await db.query("SELECT publish_policy($1, $2, $3)", [decided.value.proposal_id, kind.name, text]);
  return accept(present(kind, decided.value, versions));
}

export async function rejectPolicy<Policy extends Versioned>(
  db: Queryable,
  session: OperatorSession,
  kind: PolicyKind<Policy>,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<PolicyProposal>> {
  const decided = await decideProposal(db, session, { kind: kind.name, decision: "rejected", ...what });
  return decided.ok ? accept(present(kind, decided.value, await readVersions(db, kind))) : decided;
}

function noticeOf<Policy extends Versioned>(kind: PolicyKind<Policy>, before: Policy, after: Policy): bigint {
  return later(LEAD_MS, kind.noticeMs?.(before, after) ?? 0n);
}

function proposedOf<Policy extends Versioned>(kind: PolicyKind<Policy>, row: ProposalRow) {
  const body = JSON.parse(row.body) as Body;
  return { policy: kind.fromJson(JSON.stringify(body.policy)), effectiveAt: body.effectiveAt };
}

function present<Policy extends Versioned>(
  kind: PolicyKind<Policy>,
  row: ProposalRow,
  versions: readonly Policy[],
): PolicyProposal {
  const { policy, effectiveAt } = proposedOf(kind, row);
  const before = versions.find(({ version }) => version === policy.version - 1);
  return {
    ...presentProposal(row),
    version: policy.version,
    effectiveAt,
    differences: before === undefined ? [] : kind.differences(before, policy),
  };
}

/** Policies live by the database's clock. */
async function databaseNow(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ now: bigint }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
  );
  return row?.now ?? 0n;
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
