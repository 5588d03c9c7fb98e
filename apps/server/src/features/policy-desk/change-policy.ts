import { accept, type Instant, type Refusal, refuse, type Verdict } from "@fairtick/domain";
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
import {
  type PolicyName,
  standOfProposal,
  stateOfVersion,
  type VersionKind,
  type Versioned,
} from "../policies/index.ts";

/** The shortest time from the approval until a version takes effect, in ms, so that the log has it first. */
const LEAD_MS = 10_000n;
const VERSIONS_SHOWN = 50;

/** A policy as its verbs need it: how it is stored and how two versions of it differ. */
export interface PolicyKind<Policy extends Versioned> extends VersionKind<Policy> {
  readonly name: PolicyName;
  /** Returns the first field that is out of its bounds; null if all are within. */
  readonly wrong: (policy: Policy) => string | null;
  /** Returns how long a version has to be in the log before it takes effect, in ms. Ten seconds if left out. */
  readonly noticeMs?: (before: Policy, after: Policy) => bigint;
  /**
   * Returns why a version can't be put into effect at present. Called when it is proposed and again when it is
   * approved.
   */
  readonly refuse?: (policy: Policy) => Refusal | null;
}

/** A proposal's body: the whole next version. Only what it changes in the version before takes effect. */
interface Body {
  readonly effectiveAt: number | null;
  readonly policy: unknown;
}

async function readVersions<Policy extends Versioned>(db: Queryable, kind: PolicyKind<Policy>): Promise<Policy[]> {
  const rows = await db.query<{ body: string }>("SELECT body FROM policies WHERE name = $1 ORDER BY version", [
    kind.name,
  ]);
  return rows.map(({ body }) => kind.fromJson(body));
}

function newestOf<Policy extends Versioned>(versions: readonly Policy[]): Policy {
  const newest = versions.at(-1);
  if (newest === undefined) throw new Error("no version is stored");
  return newest;
}

/** Lists the version in force, the newest versions with what each changed and who approved it, and proposals. */
export async function listPolicy<Policy extends Versioned>(
  db: Queryable,
  kind: PolicyKind<Policy>,
): Promise<{ readonly current: Policy; readonly versions: PolicyVersion[]; readonly proposals: PolicyProposal[] }> {
  const versions = await readVersions(db, kind);
  const approvals = await db.query<Record<string, unknown> & { version: number; proposal_id: bigint }>(
    `SELECT version, proposal_id, o.operator_id AS checker_id, o.login AS checker_login, o.name AS checker_name
     FROM published_by JOIN decisions d USING (proposal_id) JOIN operators o ON o.operator_id = d.decided_by WHERE kind = $1`,
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
      state: stateOfVersion(policy.version, current.version),
      differences: before === undefined ? [] : kind.differences(before, policy),
      approvedBy: approval === undefined ? null : personOf(approval, "checker"),
    };
  });
  const listed = await listProposals(db, kind.name, { state: "all", limit: 100 });
  const now = await databaseNow(db);
  const publishedOf = (row: ProposalRow) =>
    approvals.find(({ proposal_id: proposalId }) => proposalId === row.proposal_id)?.version;
  const proposals = listed.ok
    ? listed.value.items.map((each) => present(kind, each, versions, now, publishedOf(each)))
    : [];
  return { current, versions: shown.reverse().slice(0, VERSIONS_SHOWN), proposals };
}

/**
 * Proposes the next version, based on the newest one. Refuses what `change` and the kind refuse, and FIELD_INVALID for
 * a date that is too near or not later than the newest version's, since dates must grow.
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
  return accept(present(kind, made, versions, await databaseNow(db)));
}

/**
 * Proposes a waiting proposal's changes again, based on the newest version, and rejects the old proposal. Drops a date
 * that has passed. Refuses NOT_FOUND, CONFLICT if it is already decided, and what the kind refuses.
 */
export async function proposePolicyAgain<Policy extends Versioned>(
  context: OperatorContext,
  db: Queryable,
  session: OperatorSession,
  kind: PolicyKind<Policy>,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<PolicyProposal>> {
  const old = await decideProposal(db, session, { kind: kind.name, decision: "rejected", ...what });
  if (!old.ok) return old;
  const versions = await readVersions(db, kind);
  const { policy, effectiveAt } = proposedOf(kind, old.value);
  const { next } = standOfProposal(kind, policy, versions);
  const refusal = refusalOf(kind, next);
  if (refusal !== null) return { ok: false, refusal };
  const newest = newestOf(versions);
  // Someone else has already made exactly these changes.
  if (kind.differences(newest, next).length === 0) return refuse("FIELD_INVALID", { field: kind.name });
  const now = await databaseNow(db);
  const isLate = effectiveAt !== null && isTooLate(BigInt(effectiveAt), now + noticeOf(kind, newest, next), newest);
  const made = await makeProposal(db, session, {
    proposalId: context.ids.next(),
    kind: kind.name,
    reason: what.reason,
    body: `{"effectiveAt":${isLate ? "null" : effectiveAt},"policy":${kind.toJson(next)}}`,
  });
  return accept(present(kind, made, versions, now));
}

/**
 * Approves a proposal: stores the newest version with the proposal's changes, and its entry for the public log. It
 * takes effect on its date or as soon as possible. In addition to what deciding and the kind refuse, refuses CONFLICT
 * if someone has changed one of its values since, or if its date is too near by now.
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
  const { policy: proposed, effectiveAt } = proposedOf(kind, decided.value);
  const { next: policy, mayBePublished } = standOfProposal(kind, proposed, versions);
  if (!mayBePublished) return refuse("CONFLICT");
  const refusal = refusalOf(kind, policy);
  if (refusal !== null) return { ok: false, refusal };
  const now = await databaseNow(db);
  const soonest = now + noticeOf(kind, newest, policy);
  const bindsAt = effectiveAt === null ? later(soonest, newest.effectiveAt + 1n) : BigInt(effectiveAt);
  if (bindsAt < soonest) return refuse("CONFLICT");
  const text = kind.toJson({ ...policy, effectiveAt: bindsAt as Instant });
  await db.query("SELECT publish_policy($1, $2, $3)", [decided.value.proposal_id, kind.name, text]);
  return accept(present(kind, decided.value, versions, now, policy.version));
}

export async function rejectPolicy<Policy extends Versioned>(
  db: Queryable,
  session: OperatorSession,
  kind: PolicyKind<Policy>,
  what: { readonly proposalId: string; readonly reason: string },
): Promise<Verdict<PolicyProposal>> {
  const decided = await decideProposal(db, session, { kind: kind.name, decision: "rejected", ...what });
  return decided.ok
    ? accept(present(kind, decided.value, await readVersions(db, kind), await databaseNow(db)))
    : decided;
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
  now: bigint,
  published?: number,
): PolicyProposal {
  const { policy, effectiveAt } = proposedOf(kind, row);
  const { differences, overtaken, next } = standOfProposal(kind, policy, versions);
  const isWaiting = row.decision === null;
  const newest = newestOf(versions);
  return {
    ...presentProposal(row),
    version: published ?? (isWaiting ? next.version : policy.version),
    effectiveAt,
    differences,
    overtaken: isWaiting ? overtaken : [],
    late:
      isWaiting && effectiveAt !== null && isTooLate(BigInt(effectiveAt), now + noticeOf(kind, newest, next), newest),
  };
}

function isTooLate(effectiveAt: bigint, soonest: bigint, newest: Versioned): boolean {
  return effectiveAt < soonest || effectiveAt <= newest.effectiveAt;
}

function refusalOf<Policy extends Versioned>(kind: PolicyKind<Policy>, policy: Policy): Refusal | null {
  const field = kind.wrong(policy);
  if (field !== null) return { error: "FIELD_INVALID", params: { field }, fields: { [field]: "FIELD_INVALID" } };
  return kind.refuse?.(policy) ?? null;
}

/** Reads the database's time, by which policies take effect. */
async function databaseNow(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ now: bigint }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
  );
  return row?.now ?? 0n;
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
