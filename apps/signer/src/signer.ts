import { type Clock, keyStatement, type Payment, paymentStatement } from "@fairtick/domain";
import { isP256PublicKey, p256KeyId, verifyP256 } from "@fairtick/domain/node-signatures";
import { encodeFunctionData, erc20Abi, keccak256, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { openBelief } from "./belief.ts";
import { answerOf, digestOf, mayReplace, paymentTextOf, type Signed } from "./payment-text.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import { openLimits, refuse } from "./limits.ts";
import type {
  AuthorizeMessage,
  EnrolMessage,
  EvmTerms,
  RetractMessage,
  RevokeMessage,
  SignedTransaction,
  SignerAnswer,
  SignerRefusal,
  SignerState,
  SignMessage,
  TronTerms,
} from "./messages.ts";
import type { SignerNode, SignerRules, TronSignerChain } from "./settings.ts";
import { findUse, payerOf } from "./used-nonces.ts";
import { EXPIRES_MS_MAX, openSolidified, signTron, type SolidifiedChain, whyNotDead } from "./tron.ts";

/** Each further attempt pays at least so much more per gas, or nodes would not take it for the earlier one. */
const BUMP = { numerator: 1125n, denominator: 1000n };
const ALARMS_SHOWN = 20;

export interface Signer {
  /** May this be paid? By its own rule and its own journal, or by operators' signatures; kept once it may. */
  authorize(message: AuthorizeMessage): SignerAnswer<"automatic" | "operators">;
  /** The bytes of an authorized payment: of one attempt always the same. */
  sign(message: SignMessage): Promise<SignerAnswer<SignedTransaction>>;
  /** Never signs what it authorized, until it is asked anew; refuses once it has signed it. */
  retract(message: RetractMessage): SignerAnswer<"retracted">;
  /** Believes an operator's key, by a colleague's signature. */
  enrol(message: EnrolMessage): SignerAnswer<string>;
  /** Believes a key no more, on anybody's word: that takes power away. Never the last one, or nobody could vouch for another. */
  revoke(message: RevokeMessage): SignerAnswer<"revoked">;
  state(): Omit<SignerState, "gasAddress">;
}

/**
 * The signer's rules over its journal. It takes nothing from the server's tables: what it has not written down itself or
 * cannot verify by a signature does not exist for it. Calls must come one after the other.
 */
export function openSigner(parts: {
  readonly account: PrivateKeyAccount;
  readonly tronAccount: PrivateKeyAccount;
  readonly journal: Journal;
  readonly rules: SignerRules;
  readonly clock: Pick<Clock, "now">;
  /** How a node of the signer's own is asked. */
  readonly solidified?: (node: SignerNode) => SolidifiedChain;
}): Signer {
  const { account, tronAccount, journal, rules, clock, solidified = openSolidified } = parts;
  const own = new Set([account.address.toLowerCase(), tronAccount.address.toLowerCase()]);
  const at = () => Number(clock.now());
  const { standing, spent, beyondRules, isAutomatic } = openLimits({ journal, rules, clock });
  const all = <Kind extends JournalEntry["t"]>(kind: Kind) =>
    journal.entries.filter((one): one is Extract<JournalEntry, { t: Kind }> => one.t === kind);
  /** Whether or not it was retracted since. */
  const lastAuthorized = (id: string) => all("authorized").findLast(({ payment }) => payment.id === id);
  const { believedKeys, isRevoked, neededFor, isStillAgreed } = openBelief({ journal, rules });
  const signedOf = (id: string) => all("signed").filter((one) => one.id === id);

  /** What an honest server never asks for: a person has to look. */
  function alarm(refusal: SignerRefusal, detail: string): SignerAnswer<never> {
    if (all("alarm").at(-1)?.text !== detail) journal.append({ t: "alarm", at: at(), text: detail });
    return refuse(refusal, detail);
  }

  function judgeApprovals(payment: Payment, approvals: AuthorizeMessage["approvals"]) {
    const bytes = paymentStatement(payment);
    const operators = new Map<string, string>();
    for (const { keyId, signature } of approvals) {
      const key = believedKeys().find((one) => one.keyId === keyId);
      if (key !== undefined && verifyP256(key.publicKey, bytes, signature)) operators.set(key.operator, keyId);
    }
    return operators;
  }

  function chainOf(payment: Payment) {
    return rules.chains.find(
      ({ chain, genesis, token }) => chain === payment.chain && genesis === payment.genesis && token === payment.token,
    );
  }

  function chainOfSigned({ digest }: Signed): bigint | null {
    const chain = all("authorized").find((one) => one.digest === digest)?.payment.chain;
    return chain === undefined ? null : BigInt(chain);
  }

  /** All attempts share one nonce, so that at most one is ever mined. */
  async function makeEvm(
    payment: Payment,
    nonce: number,
    last: Signed | undefined,
    { maxFee, priorityFee }: EvmTerms,
  ): Promise<SignerAnswer<SignedTransaction>> {
    const { id } = payment;
    if (maxFee > rules.feePerGasMax || priorityFee > maxFee) {
      return refuse("FEE", `${id}: ${maxFee} per gas is above ${rules.feePerGasMax}`);
    }
    const bumped = (now: bigint, then: string) => now * BUMP.denominator >= BigInt(then) * BUMP.numerator;
    if (last !== undefined && !(bumped(maxFee, last.maxFee) && bumped(priorityFee, last.priorityFee))) {
      return refuse("FEE", `${id}: another attempt has to pay an eighth more than the last one`);
    }
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId: Number(payment.chain),
      nonce,
      to: payment.token as Hex,
      gas: rules.gas,
      maxFeePerGas: maxFee,
      maxPriorityFeePerGas: priorityFee,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: "transfer",
        args: [payment.to as Hex, payment.amount],
      }),
    });
    const value = { raw, hash: keccak256(raw), maxFee: String(maxFee), priorityFee: String(priorityFee) };
    return { ok: true, value };
  }

  /** There is no nonce: another one is signed only once nothing can take the earlier ones, by the signer's own nodes. */
  async function makeTron(
    chain: TronSignerChain,
    payment: Payment,
    earlier: readonly Signed[],
    terms: TronTerms,
  ): Promise<SignerAnswer<SignedTransaction>> {
    const { id } = payment;
    const { feeLimit, expiration } = terms;
    if (feeLimit <= 0n || feeLimit > rules.feeLimitMax) {
      return refuse("FEE", `${id}: a fee limit of ${feeLimit} is above ${rules.feeLimitMax}`);
    }
    const now = clock.now();
    if (expiration <= now || expiration > now + EXPIRES_MS_MAX) {
      return refuse("EXPIRATION", `${id}: an expiration at ${expiration}, now is ${now}`);
    }
    if (earlier.length > 0) {
      const not = await whyNotDead(earlier, chain.nodes.map(solidified));
      if (not !== null) return (not.isPaid ? alarm : refuse)("MAY_BE_PAID", `${id}: ${not.why}`);
    }
    // Two alike of one instant would be one transaction, and pay once for both.
    for (let stamp = now as bigint; ; stamp += 1n) {
      const { raw, hash } = await signTron(tronAccount, payment, terms, stamp);
      if (all("signed").some((one) => one.hash === hash)) continue;
      return { ok: true, value: { raw, hash, maxFee: String(feeLimit), priorityFee: "0" } };
    }
  }

  return {
    authorize({ payment, approvals }) {
      if (chainOf(payment) === undefined) {
        return alarm("NOT_ALLOWED", `${payment.id}: chain or token is not on the list`);
      }
      const forbidden = payment.to === payment.token || own.has(payment.to);
      if (forbidden) return alarm("NOT_ALLOWED", `${payment.id}: would pay the token or this wallet itself`);
      const digest = digestOf(payment);
      const known = standing().get(payment.id);
      if (known?.digest === digest && isStillAgreed(known)) return { ok: true, value: known.how };
      const before = lastAuthorized(payment.id);
      if (before !== undefined && before.digest !== digest && !mayReplace(before, payment, signedOf(payment.id))) {
        return alarm(
          "OTHER_PAYMENT",
          `${payment.id} was authorized as another payment: ${before.digest}, now ${digest}`,
        );
      }
      const beyond = beyondRules(payment);
      if (beyond !== null) return beyond;
      const operators = judgeApprovals(payment, approvals);
      const needed = neededFor(payment.amount);
      if (operators.size < needed && !isAutomatic(payment)) {
        return refuse("NEEDS_APPROVALS", `${payment.id} has ${operators.size} of ${needed} signatures`);
      }
      const how = operators.size >= needed ? "operators" : "automatic";
      const keys = [...operators.values()];
      journal.append({ t: "authorized", at: at(), digest, payment: paymentTextOf(payment), how, keys });
      return { ok: true, value: how };
    },

    async sign(message) {
      const { payment, nonce, attempt } = message;
      const { id, genesis } = payment;
      const digest = digestOf(payment);
      // First of all: whoever asks a second time, after it was taken back, has to hear again that the nonce is burnt.
      const from = ("tron" in message ? tronAccount : account).address.toLowerCase();
      const taken = await findUse(all("signed"), chainOfSigned, { chain: payment.chain, genesis, from, nonce }, id);
      if (taken !== undefined) return alarm("OTHER_NONCE", `nonce ${nonce} is ${taken.id}'s, now ${id} asks for it`);
      const authorized = standing().get(id);
      const signed = signedOf(id);
      if (authorized === undefined && lastAuthorized(id)?.digest === digest) {
        return refuse("NOT_AUTHORIZED", `${id} was retracted`);
      }
      if (authorized === undefined) return alarm("NOT_AUTHORIZED", `${id} is asked to be signed without authorization`);
      if (authorized.digest !== digest) {
        return alarm("OTHER_PAYMENT", `${id} is authorized as ${authorized.digest}, asked to be signed as ${digest}`);
      }
      const [first] = signed;
      // By another wallet it would be a second payment, whatever its nonce.
      if (first !== undefined && (await payerOf(first)) !== from) {
        return alarm("OTHER_NONCE", `${id} was signed by another wallet than ${from}`);
      }
      const same = signed.find((one) => one.attempt === attempt);
      if (signed.some((one) => one.nonce !== nonce)) {
        return alarm("OTHER_NONCE", `${id} was signed with nonce ${signed[0]?.nonce}, now ${nonce} is asked for`);
      }
      if (same !== undefined) return { ok: true, value: answerOf(same) };
      if (attempt !== (signed.at(-1)?.attempt ?? 0) + 1) {
        return refuse("FEE", `${id}: attempt ${attempt} is not the next one`);
      }
      // From the first signature on it may be public: what comes after it is the same payment, and goes on.
      if (signed.length === 0) {
        const beyond = beyondRules(payment);
        if (beyond !== null) return beyond;
        if (!isStillAgreed(authorized)) return refuse("NEEDS_APPROVALS", `${id}: a key that signed for it was revoked`);
        if (authorized.how === "automatic" && !isAutomatic(payment)) {
          return refuse("NEEDS_APPROVALS", `${id} was authorized without signatures, and is above that by now`);
        }
      }
      // The rules may have changed since it was authorized.
      const chain = chainOf(payment);
      if (chain === undefined) return alarm("NOT_ALLOWED", `${id}: chain or token is not on the list`);
      if ((chain.kind === "tron") !== "tron" in message) {
        return alarm("NOT_ALLOWED", `${id} is asked to be signed as on a chain of another kind`);
      }
      const made =
        "tron" in message && chain.kind === "tron"
          ? await makeTron(chain, payment, signed, message.tron)
          : "maxFee" in message
            ? await makeEvm(payment, nonce, signed.at(-1), message)
            : refuse("NOT_ALLOWED", `${id} has no terms`);
      if (!made.ok) return made;
      const entry: Signed = { t: "signed", at: at(), id, digest, genesis, nonce, attempt, ...made.value };
      journal.append(entry);
      return { ok: true, value: answerOf(entry) };
    },

    retract({ payment }) {
      const { id } = payment;
      if (signedOf(id).length > 0) return refuse("SIGNED", `${id} is signed`);
      const known = standing().get(id);
      if (known !== undefined) journal.append({ t: "retracted", at: at(), id, digest: known.digest });
      return { ok: true, value: "retracted" };
    },

    enrol({ operator, publicKey, approval }) {
      if (!isP256PublicKey(publicKey)) return refuse("KEY", "no public key of P-256");
      const keyId = p256KeyId(publicKey);
      const keys = all("key");
      const known = keys.find((one) => one.keyId === keyId);
      if (isRevoked(keyId)) return alarm("KEY", `the revoked key ${keyId} is asked for anew`);
      if (known !== undefined) {
        return known.operator === operator
          ? { ok: true, value: keyId }
          : alarm("KEY", `the key of ${known.operator} is asked to be ${operator}'s`);
      }
      const colleague = approval === null ? undefined : believedKeys().find((one) => one.keyId === approval.keyId);
      const vouched =
        approval !== null &&
        colleague !== undefined &&
        colleague.operator !== operator &&
        verifyP256(colleague.publicKey, keyStatement({ operator, publicKey }), approval.signature);
      const first = rules.trustFirstKey && keys.every((one) => one.operator === operator);
      if (!vouched && !first) return refuse("KEY", `a key of ${operator} without a colleague's signature`);
      const by = vouched ? approval.keyId : null;
      const signature = vouched ? approval.signature : null;
      journal.append({ t: "key", at: at(), keyId, publicKey, operator, by, signature });
      return { ok: true, value: keyId };
    },

    revoke({ keyId, by }) {
      if (isRevoked(keyId)) return { ok: true, value: "revoked" };
      const believed = believedKeys();
      if (!believed.some((one) => one.keyId === keyId)) return refuse("KEY", `no key ${keyId}`);
      if (believed.length === 1) return refuse("KEY", "the last key: enrol another one first");
      journal.append({ t: "revoked", at: at(), keyId, by });
      return { ok: true, value: "revoked" };
    },

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
