/** Lets members set up and remove second factors. Each change needs the login password and a factor if they have one. */
import { randomBytes } from "node:crypto";
import { accept, type Instant, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import { passkeyMade, type PasskeyQuestion, type PasskeyWish } from "@fairtick/protocol";
import { safeParse } from "valibot";
import { CAREFUL, guess } from "../../platform/attempts.ts";
import type { Queryable } from "../../platform/database.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import { passkeyParty } from "../../platform/second-factor/passkey-party.ts";
import { newPasskeyChallenge, passkeyWishFor, verifyNewPasskey } from "../../platform/second-factor/passkeys.ts";
import { openTotpSecret, sealTotpSecret } from "../../platform/second-factor/totp-secret.ts";
import { matchTotp, SECRET_BYTES, toBase32, totpUri } from "../../platform/second-factor/totp.ts";
import { tellMember } from "../notices/index.ts";
import { sendWarning, type Warning, warnMember } from "../security-notices/index.ts";
import {
  ASKED_MS,
  askPasskeys,
  deleteFactor,
  deleteRecoveryCodes,
  type FactorContext,
  type FactorUse,
  forgetChallenges,
  formatPasskeyId,
  hasFactor,
  insertPasskey,
  judgeSecondFactor,
  keepSetUp,
  lockMember,
  parseJson,
  putTotp,
  readFactors,
  readSetUp,
  replaceRecoveryCodes,
  type SetUp,
  spendSecondFactor,
  takeSetUp,
  wrongFactor,
} from "../second-factor/index.ts";
import {
  beginRest,
  checkLoginPassword,
  forgetDevices,
  instantText,
  readAccount,
  type SessionContext,
} from "../sessions/index.ts";

const PASSKEYS_MAX = 10;

/** The member who makes a change, and their session. */
export interface Changing {
  readonly memberId: MemberId;
  readonly sessionId: bigint;
  readonly deviceKey?: DeviceKey | null;
  readonly now: Instant;
}

/** Proof that it is the member: the login password, and a second factor if they have one. */
export interface Proof {
  readonly loginPassword: string;
  readonly secondFactor?: string | undefined;
}

type WarningContext = FactorContext & Pick<SessionContext, "messenger" | "bus">;

/** Makes a change in one transaction. Warnings that it wrote are sent after the commit. */
async function changeAndWarn<T>(
  context: WarningContext,
  change: (db: Queryable, warn: (warning: Warning) => void) => Promise<Verdict<T>>,
): Promise<Verdict<T>> {
  const warnings: Warning[] = [];
  const changed = await context.databases.sessions.transaction((db) => change(db, (warning) => warnings.push(warning)));
  if (changed.ok) for (const warning of warnings) sendWarning(context, warning);
  return changed;
}

/** Reads a member's second factors, as they are shown. */
export async function readSecondFactors({ databases, config }: FactorContext, memberId: MemberId) {
  const { totp, passkeys, recoveryCodesLeft } = await readFactors(databases.sessions, memberId);
  const used = (at: bigint | null) => (at === null ? null : Number(at));
  return {
    totp: totp === null ? null : { madeAt: Number(totp.made_at), usedAt: used(totp.used_at) },
    passkeys: passkeys.map((row) => ({
      passkeyId: formatPasskeyId(row.passkey_id),
      name: row.name,
      synced: row.synced,
      madeAt: Number(row.made_at),
      usedAt: used(row.used_at),
    })),
    recoveryCodesLeft,
    passkeyOrigin: passkeyParty(config.publicUrl)?.origin ?? null,
  };
}

/** Makes a question for one of the member's passkeys. Refuses NOT_FOUND if none can be used here. */
export async function askOwnPasskey(
  context: FactorContext,
  memberId: MemberId,
  ask: Parameters<typeof askPasskeys>[3],
): Promise<Verdict<PasskeyQuestion>> {
  const question = await askPasskeys(context, memberId, await readFactors(context.databases.sessions, memberId), ask);
  return question === null ? refuse("NOT_FOUND") : accept(question);
}

/** Checks the proof for a change of factors. Refuses WRONG_PASSWORD, TOO_MANY_TRIES[retryAt], and as `judgeSecondFactor`. */
async function judgeProof(
  context: FactorContext,
  { loginPassword, secondFactor }: Proof,
  by: Changing,
): Promise<Verdict<FactorUse>> {
  const pool = context.databases.sessions;
  const checked = await checkLoginPassword(pool, await readAccount(pool, by.memberId), loginPassword, by);
  if (!checked.ok) return checked;
  return judgeSecondFactor(context, by.memberId, secondFactor, { purpose: "settings", ...by });
}

/** Makes a secret for an authenticator app, which becomes a factor with its first code. Refuses as `judgeProof` does. */
export async function startTotp(
  context: FactorContext,
  proof: Proof,
  by: Changing,
): Promise<Verdict<{ secret: string; uri: string }>> {
  const pool = context.databases.sessions;
  const use = await judgeProof(context, proof, by);
  if (!use.ok) return use;
  const account = await readAccount(pool, by.memberId);
  const secret = randomBytes(SECRET_BYTES);
  const sealed = sealTotpSecret(secret, context.config.secret, { side: "member", id: by.memberId });
  return pool.transaction(async (db) => {
    if (!(await spendSecondFactor(db, by.memberId, use.value, by.now))) return wrongFactor();
    await keepSetUp(db, { ...by, purpose: "newTotp" }, sealed);
    return accept({ secret: toBase32(secret), uri: totpUri(secret, account.email ?? account.phone ?? "") });
  });
}

/**
 * Adds the authenticator app by its first code. Returns recovery codes if it is the member's first factor. Refuses BAD_CODE;
 * TOO_MANY_TRIES[retryAt]; NOT_FOUND if no setup was started or it has expired.
 */
export async function registerTotp(
  context: WarningContext,
  code: string,
  by: Changing,
): Promise<Verdict<{ recoveryCodes: string[] }>> {
  const pool = context.databases.sessions;
  const setUp: SetUp = { ...by, purpose: "newTotp" };
  const sealed = await readSetUp(pool, setUp);
  if (sealed === null) return refuse("NOT_FOUND");
  const secret = openTotpSecret(sealed, context.config.secret, { side: "member", id: by.memberId });
  const attempt = { kind: "factor", subject: `session:${by.sessionId}`, waits: CAREFUL, now: by.now } as const;
  const judged = await guess<bigint>(pool, attempt, async () => {
    const step = matchTotp(secret, code, by.now, 0n);
    return step === null ? refuse("BAD_CODE", {}, { code: "BAD_CODE" }) : accept(step);
  });
  if (!judged.ok) return judged;
  return changeAndWarn(context, async (db, warn) => {
    const taken = await takeSetUp(db, setUp);
    if (taken === null || !taken.equals(sealed)) return refuse("NOT_FOUND");
    return addFactor({ context, db, warn }, by, "authenticatorAdded", async () => {
      await putTotp(db, by.memberId, { sealed, step: judged.value }, by.now);
      return true;
    });
  });
}

/**
 * Makes the request that a browser needs to create a passkey. Refuses as `judgeProof` does; NOT_NOW if browsers allow no passkeys
 * at this app's address; CONFLICT if the member has ten.
 */
export async function startPasskey(context: FactorContext, proof: Proof, by: Changing): Promise<Verdict<PasskeyWish>> {
  const pool = context.databases.sessions;
  const party = passkeyParty(context.config.publicUrl);
  if (party === null) return refuse("NOT_NOW");
  const { passkeys } = await readFactors(pool, by.memberId);
  if (passkeys.length >= PASSKEYS_MAX) return refuse("CONFLICT");
  const use = await judgeProof(context, proof, by);
  if (!use.ok) return use;
  const account = await readAccount(pool, by.memberId);
  const name = account.email ?? account.phone ?? "";
  const challenge = newPasskeyChallenge();
  return pool.transaction(async (db) => {
    if (!(await spendSecondFactor(db, by.memberId, use.value, by.now))) return wrongFactor();
    await keepSetUp(db, { ...by, purpose: "newPasskey" }, challenge);
    const owner = { place: "Fairtick", id: by.memberId, name, displayName: name };
    return accept(passkeyWishFor({ party, challenge, known: passkeys, timeoutMs: ASKED_MS }, owner));
  });
}

/**
 * Adds a passkey. Returns recovery codes if it is the member's first factor. Each request allows only one attempt, successful or
 * not. Refuses BAD_CODE for a passkey that wasn't requested, and CONFLICT for one that is already registered.
 */
export async function registerPasskey(
  context: WarningContext & Pick<SessionContext, "ids">,
  made: { readonly name: string; readonly passkey: string },
  by: Changing,
): Promise<Verdict<{ recoveryCodes: string[] }>> {
  const pool = context.databases.sessions;
  const party = passkeyParty(context.config.publicUrl);
  const challenge = await takeSetUp(pool, { ...by, purpose: "newPasskey" });
  const parsed = safeParse(passkeyMade, parseJson(made.passkey));
  if (party === null || challenge === null || !parsed.success) return refuse("BAD_CODE");
  const verified = await verifyNewPasskey(parsed.output, {
    party,
    challenge,
    refused: (error) => {
      context.log.warn({ err: error, memberId: by.memberId }, "a new passkey did not fit the request");
    },
  });
  if (verified === null) return refuse("BAD_CODE");
  const passkey = { ...verified, passkeyId: context.ids.next(), name: made.name.trim() };
  return changeAndWarn(context, (db, warn) =>
    addFactor({ context, db, warn }, by, "passkeyAdded", () => insertPasskey(db, by.memberId, passkey, by.now)),
  );
}

/**
 * Adds a factor and warns the member, in case somebody else added it. With the first factor, the member's other devices are
 * forgotten, since somebody who knew the password may have logged in on one of them, and recovery codes are made.
 */
async function addFactor(
  {
    context,
    db,
    warn,
  }: { readonly context: FactorContext; readonly db: Queryable; readonly warn: (warning: Warning) => void },
  by: Changing,
  key: "authenticatorAdded" | "passkeyAdded",
  add: () => Promise<boolean>,
): Promise<Verdict<{ recoveryCodes: string[] }>> {
  const { memberId, now } = by;
  await lockMember(db, memberId);
  const before = await readFactors(db, memberId);
  if (!(await add())) return refuse("CONFLICT");
  warn(await warnMember(db, context, memberId, { key, params: {} }));
  if (hasFactor(before)) return accept({ recoveryCodes: [] });
  await forgetDevices(db, memberId, by.deviceKey);
  return accept({ recoveryCodes: await replaceRecoveryCodes(db, memberId, context.config.secret, now) });
}

/** Makes new recovery codes. Refuses as `judgeProof` does, and NOT_FOUND if the member has no factor. */
export async function makeRecoveryCodes(
  context: FactorContext,
  proof: Proof,
  by: Changing,
): Promise<Verdict<{ recoveryCodes: string[] }>> {
  const use = await judgeProof(context, proof, by);
  if (!use.ok) return use;
  return context.databases.sessions.transaction(async (db) => {
    await lockMember(db, by.memberId);
    if (!hasFactor(await readFactors(db, by.memberId))) return refuse("NOT_FOUND");
    if (!(await spendSecondFactor(db, by.memberId, use.value, by.now))) return wrongFactor();
    await tellMember(db, by.memberId, "recoveryCodesMade", {});
    return accept({ recoveryCodes: await replaceRecoveryCodes(db, by.memberId, context.config.secret, by.now) });
  });
}

/**
 * Removes the authenticator app (`totp`) or a passkey. Removing the last one starts a withdrawal rest, as a reset does, and
 * deletes the recovery codes. Refuses as `judgeProof` does, and NOT_FOUND for a factor that the member doesn't have.
 */
export async function removeFactor(
  context: WarningContext,
  { factor, ...proof }: Proof & { readonly factor: string },
  by: Changing,
): Promise<Verdict<{ restsUntil: number | null }>> {
  const { memberId } = by;
  const use = await judgeProof(context, proof, by);
  if (!use.ok) return use;
  const removed = await changeAndWarn<bigint | null>(context, async (db, warn) => {
    await lockMember(db, memberId);
    if (!(await spendSecondFactor(db, memberId, use.value, by.now))) return wrongFactor();
    if (!(await deleteFactor(db, memberId, factor))) return refuse("NOT_FOUND");
    const key = factor === "totp" ? "authenticatorRemoved" : "passkeyRemoved";
    warn(await warnMember(db, context, memberId, { key, params: {} }));
    if (hasFactor(await readFactors(db, memberId))) return accept(null);
    await deleteRecoveryCodes(db, memberId);
    await forgetChallenges(db, memberId);
    const until = await beginRest(db, context, memberId, "factor");
    if (until === null) return accept(null);
    const params = { until: instantText(until) };
    warn(await warnMember(db, context, memberId, { key: "withdrawalsRestUnprotected", params }));
    return accept(until);
  });
  if (!removed.ok) return removed;
  const restsUntil = removed.value;
  return accept({ restsUntil: restsUntil === null ? null : Number(restsUntil) });
}
