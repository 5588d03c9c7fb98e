import { type Payment, paymentStatement } from "@fairtick/domain";
import { verifyP256 } from "@fairtick/domain/node-signatures";
import { answerOf, digestOf, mayReplace, paymentTextOf, type Signed } from "./payment-text.ts";
import type { JournalEntry } from "./journal.ts";
import { refuse } from "./limits.ts";
import { makeEvm, makeTron } from "./make-transaction.ts";
import type {
  AuthorizeMessage,
  EnrolMessage,
  RetractMessage,
  RevokeMessage,
  SignedTransaction,
  SignerAnswer,
  SignerState,
  SignMessage,
} from "./messages.ts";
import { enrol, revoke } from "./operator-keys.ts";
import { openContext, type SignerContext, type SignerParts } from "./signer-context.ts";
import { findUse, payerOf } from "./used-nonces.ts";

const ALARMS_SHOWN = 20;

export interface Signer {
  /** Authorizes a payment by the signer's own rules and journal or by operators' signatures, and records it. */
  authorize(message: AuthorizeMessage): SignerAnswer<"automatic" | "operators">;
  /** Signs an authorized payment. Returns the same bytes for the same attempt every time. */
  sign(message: SignMessage): Promise<SignerAnswer<SignedTransaction>>;
  /**
   * Retracts an authorization, so that the payment isn't signed unless it is authorized again, or never again if that is
   * final. Refuses once it has been signed.
   */
  retract(message: RetractMessage): SignerAnswer<"retracted">;
  /** Enrols an operator's key, with a colleague's signature. */
  enrol(message: EnrolMessage): SignerAnswer<string>;
  /**
   * Revokes trust in a key. Anyone may request this, because it only takes power away. The last key stays, since
   * without it nobody could vouch for another.
   */
  revoke(message: RevokeMessage): SignerAnswer<"revoked">;
  state(): Omit<SignerState, "gasAddress">;
}

/**
 * Opens the signer, which applies its rules to its journal. It trusts nothing in the server's tables: what it hasn't
 * recorded itself or can't verify by a signature doesn't exist for it. Calls must be made one after another.
 */
export function openSigner(parts: SignerParts): Signer {
  const context = openContext(parts);
  const { account, tronAccount, rules } = parts;
  const { all, spent, believedKeys } = context;
  return {
    authorize: (message) => authorize(context, message),
    sign: (message) => sign(context, message),
    retract: (message) => retract(context, message),
    enrol: (message) => enrol(context, message),
    revoke: (message) => revoke(context, message),
    state: () => ({
      address: account.address.toLowerCase(),
      tronAddress: tronAccount.address.toLowerCase(),
      keys: believedKeys().map(({ keyId, operator }) => ({ keyId, operator })),
      spentToday: String(spent(null)),
      dayMax: String(rules.dayMax),
      paymentMax: String(rules.paymentMax),
      singleMax: String(rules.singleMax),
      automaticToday: String(spent(null, "automatic")),
      automaticDayMax: String(rules.automaticDayMax),
      alarms: all("alarm")
        .slice(-ALARMS_SHOWN)
        .map(({ at: when, text }) => ({ at: when, text })),
    }),
  };
}

function retract(context: SignerContext, { payment, final }: RetractMessage): SignerAnswer<"retracted"> {
  const { journal, standing, signedOf, isEnded } = context;
  const { id } = payment;
  if (signedOf(id).length > 0) return refuse("SIGNED", `${id} is signed`);
  const known = standing().get(id);
  const entry = { t: "retracted", at: context.at(), id, digest: known?.digest ?? digestOf(payment) } as const;
  if (final === true) {
    // Stored even if it is unknown here: someone may bring the operators' signatures later.
    if (!isEnded(id)) journal.append({ ...entry, final });
  } else if (known !== undefined) {
    journal.append(entry);
  }
  return { ok: true, value: "retracted" };
}

function authorize(
  context: SignerContext,
  { payment, approvals }: AuthorizeMessage,
): SignerAnswer<"automatic" | "operators"> {
  const { alarm, journal, standing, isStillAgreed, signedOf } = context;
  if (context.chainOf(payment) === undefined) {
    return alarm("NOT_ALLOWED", `${payment.id}: chain or token is not on the list`);
  }
  const forbidden = payment.to === payment.token || context.own.has(payment.to);
  if (forbidden) return alarm("NOT_ALLOWED", `${payment.id}: would pay the token or this wallet itself`);
  if (context.isEnded(payment.id)) return refuse("ENDED", `${payment.id} was canceled or rejected`);
  const digest = digestOf(payment);
  const known = standing().get(payment.id);
  if (known?.digest === digest && isStillAgreed(known)) return { ok: true, value: known.how };
  const before = context.lastAuthorized(payment.id);
  if (before !== undefined && before.digest !== digest && !mayReplace(before, payment, signedOf(payment.id))) {
    return alarm("OTHER_PAYMENT", `${payment.id} was authorized as another payment: ${before.digest}, not ${digest}`);
  }
  const beyond = context.beyondRules(payment);
  if (beyond !== null) return beyond;
  const operators = judgeApprovals(context, payment, approvals);
  const needed = context.neededFor(payment.amount);
  if (operators.size < needed && !context.isAutomatic(payment)) {
    return refuse("NEEDS_APPROVALS", `${payment.id} has ${operators.size} of ${needed} signatures`);
  }
  const how = operators.size >= needed ? "operators" : "automatic";
  const keys = [...operators.values()];
  journal.append({ t: "authorized", at: context.at(), digest, payment: paymentTextOf(payment), how, keys });
  return { ok: true, value: how };
}

/** Returns the key of each operator whose signature of this payment is valid. */
function judgeApprovals({ believedKeys }: SignerContext, payment: Payment, approvals: AuthorizeMessage["approvals"]) {
  const bytes = paymentStatement(payment);
  const operators = new Map<string, string>();
  for (const { keyId, signature } of approvals) {
    const key = believedKeys().find((one) => one.keyId === keyId);
    if (key !== undefined && verifyP256(key.publicKey, bytes, signature)) operators.set(key.operator, keyId);
  }
  return operators;
}

async function sign(context: SignerContext, message: SignMessage): Promise<SignerAnswer<SignedTransaction>> {
  const { payment, nonce, attempt } = message;
  const { id, genesis } = payment;
  const digest = digestOf(payment);
  // Checked first, because a second request after a retraction must also be told that the nonce is used.
  const from = ("tron" in message ? context.tronAccount : context.account).address.toLowerCase();
  const place = { chain: payment.chain, genesis, from, nonce };
  const taken = await findUse(context.all("signed"), context.chainOfSigned, place, id);
  if (taken !== undefined)
    return context.alarm("OTHER_NONCE", `nonce ${nonce} belongs to ${taken.id}, but ${id} requested it`);
  const authorized = authorizedAs(context, id, digest);
  if (!authorized.ok) return authorized;
  const signed = context.signedOf(id);
  const other = await refuseOther(context, message, from, signed);
  if (other !== null) return other;
  const same = signed.find((one) => one.attempt === attempt);
  if (same !== undefined) return { ok: true, value: answerOf(same) };
  if (attempt !== (signed.at(-1)?.attempt ?? 0) + 1) {
    return refuse("FEE", `${id}: attempt ${attempt} is not the next one`);
  }
  // After the first signature the payment may be public. Later attempts are for the same payment and are allowed.
  const beyond = signed.length === 0 ? refuseFirst(context, payment, authorized.value) : null;
  if (beyond !== null) return beyond;
  const made = await makeTransaction(context, message, signed);
  if (!made.ok) return made;
  const entry: Signed = { t: "signed", at: context.at(), id, digest, genesis, nonce, attempt, ...made.value };
  context.journal.append(entry);
  return { ok: true, value: answerOf(entry) };
}

type Authorized = Extract<JournalEntry, { t: "authorized" }>;

function authorizedAs(context: SignerContext, id: string, digest: string): SignerAnswer<Authorized> {
  const { alarm } = context;
  const authorized = context.standing().get(id);
  if (authorized === undefined && context.lastAuthorized(id)?.digest === digest) {
    return refuse("NOT_AUTHORIZED", `${id} was retracted`);
  }
  if (authorized === undefined) return alarm("NOT_AUTHORIZED", `signing of ${id} was requested without authorization`);
  if (authorized.digest !== digest) {
    return alarm("OTHER_PAYMENT", `${id} is authorized as ${authorized.digest}, not as the requested ${digest}`);
  }
  return { ok: true, value: authorized };
}

/** Refuses a wallet or a nonce other than the one with which the payment was signed before. */
async function refuseOther(
  { alarm }: SignerContext,
  { payment: { id }, nonce }: SignMessage,
  from: string,
  signed: readonly Signed[],
): Promise<SignerAnswer<never> | null> {
  const [first] = signed;
  // Signed by another wallet it would be a second payment, whatever its nonce.
  if (first !== undefined && (await payerOf(first)) !== from) {
    return alarm("OTHER_NONCE", `${id} was signed by a wallet other than ${from}`);
  }
  if (signed.some((one) => one.nonce !== nonce)) {
    return alarm("OTHER_NONCE", `${id} was signed with nonce ${first?.nonce}, but ${nonce} was requested`);
  }
  return null;
}

/**
 * Checks a payment again before its first signature, because limits, keys and rules may have changed since its
 * authorization.
 */
function refuseFirst(context: SignerContext, payment: Payment, authorized: Authorized): SignerAnswer<never> | null {
  const { id } = payment;
  const beyond = context.beyondRules(payment);
  if (beyond !== null) return beyond;
  if (!context.isStillAgreed(authorized)) {
    return refuse("NEEDS_APPROVALS", `${id}: a key that signed for it was revoked`);
  }
  if (authorized.how === "automatic" && !context.isAutomatic(payment)) {
    return refuse("NEEDS_APPROVALS", `${id} was authorized without signatures, but now needs them`);
  }
  return null;
}

async function makeTransaction(
  context: SignerContext,
  message: SignMessage,
  signed: readonly Signed[],
): Promise<SignerAnswer<SignedTransaction>> {
  const { payment, nonce } = message;
  const { alarm } = context;
  // The rules may have changed since the authorization.
  const chain = context.chainOf(payment);
  if (chain === undefined) return alarm("NOT_ALLOWED", `${payment.id}: chain or token is not on the list`);
  if ((chain.kind === "tron") !== "tron" in message) {
    return alarm("NOT_ALLOWED", `signing of ${payment.id} was requested for another kind of chain`);
  }
  if ("tron" in message && chain.kind === "tron") {
    const nodes = chain.nodes.map(context.solidified);
    const isSigned = (hash: string) => context.all("signed").some((one) => one.hash === hash);
    return makeTron({ ...context, nodes, isSigned }, payment, signed, message.tron);
  }
  if ("maxFee" in message) return makeEvm(context, payment, nonce, signed.at(-1), message);
  return refuse("NOT_ALLOWED", `${payment.id} has no terms`);
}
