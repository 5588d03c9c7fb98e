import type { Payment } from "@fairtick/domain";
import * as v from "valibot";
import type { SignerAddress } from "../../platform/config.ts";

/**
 * The signer could not be reached or gave an invalid answer. It is unknown what the signer did, but asking again does
 * no harm.
 */
export class SignerProblem extends Error {
  override readonly name = "SignerProblem";
}

const digits = v.pipe(v.string(), v.regex(/^[0-9]+$/));
const signedTransaction = v.object({
  raw: v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/)),
  hash: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/)),
  maxFee: digits,
  priorityFee: digits,
});
const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/));
const signerState = v.object({
  address,
  /** Address of its wallet on TRON, in the same form. */
  tronAddress: address,
  /** Address that pays gas at deposit addresses. */
  gasAddress: address,
  keys: v.array(v.object({ keyId: v.string(), operator: v.string() })),
  spentToday: digits,
  dayMax: digits,
  paymentMax: digits,
  singleMax: digits,
  automaticToday: digits,
  automaticDayMax: digits,
  alarms: v.array(v.object({ at: v.number(), text: v.string() })),
});
export type SignedTransaction = v.InferOutput<typeof signedTransaction>;
export type SignerState = v.InferOutput<typeof signerState>;

const accepted = v.object({ ok: v.literal(true), value: v.unknown() });
const refusal = v.object({ ok: v.literal(false), refusal: v.string(), detail: v.string() });
export type SignerAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: string; readonly detail: string };

export interface Approval {
  readonly keyId: string;
  readonly signature: string;
}

/** What a transaction is signed with in addition to its payment, by the kind of chain. */
export type SigningTerms =
  | { readonly maxFee: bigint; readonly priorityFee: bigint }
  | {
      readonly tron: {
        readonly feeLimit: bigint;
        /** Block that it refers to. */
        readonly block: { readonly height: bigint; readonly hash: string };
        readonly expiration: bigint;
      };
    };

export type SigningWish = SigningTerms & { readonly nonce: bigint; readonly attempt: number };

/** One step of sweeping a deposit into the paying wallet. */
export interface SweepWish {
  readonly nonce: bigint;
  readonly attempt: number;
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
  readonly id: string;
  readonly chain: bigint;
  readonly genesis: string;
  readonly token: string;
  readonly step: "gas" | "collect";
  readonly child: number;
  readonly amount: bigint;
}

/** What the server may ask of the signer. Every method throws `SignerProblem` if it gets no answer. */
export interface SignerDoor {
  authorize(payment: Payment, approvals: readonly Approval[]): Promise<SignerAnswer<"automatic" | "operators">>;
  sign(payment: Payment, wish: SigningWish): Promise<SignerAnswer<SignedTransaction>>;
  /**
   * Withdraws an authorization that was never signed. With `final`, the withdrawal has ended, and the signer never authorizes
   * it again.
   */
  retract(payment: Payment, how?: { readonly final: boolean }): Promise<SignerAnswer<"retracted">>;
  sweep(wish: SweepWish): Promise<SignerAnswer<SignedTransaction>>;
  enrol(operator: string, publicKey: string, approval: Approval | null): Promise<SignerAnswer<string>>;
  revoke(keyId: string, by: string): Promise<SignerAnswer<"revoked">>;
  state(): Promise<SignerState>;
}

const ANSWER_MS_MAX = 10_000;

export function openSignerDoor({ url, secret }: SignerAddress): SignerDoor {
  async function ask<Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    body: unknown,
  ): Promise<SignerAnswer<v.InferOutput<Schema>>> {
    try {
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify(body, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        redirect: "error",
      });
      if (!response.ok) throw new Error(`it answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
      const said = v.parse(v.variant("ok", [accepted, refusal]), await response.json());
      return said.ok ? { ok: true, value: v.parse(schema, said.value) } : said;
    } catch (error) {
      throw new SignerProblem(`the signer did not answer ${path}: ${error instanceof Error ? error.message : ""}`, {
        cause: error,
      });
    }
  }

  return {
    authorize: (payment, approvals) =>
      ask(v.picklist(["automatic", "operators"]), "/authorize", { payment, approvals }),
    sign: (payment, { nonce, ...wish }) => ask(signedTransaction, "/sign", { payment, nonce: Number(nonce), ...wish }),
    retract: (payment, how) => ask(v.literal("retracted"), "/retract", { payment, ...how }),
    sweep: ({ nonce, ...wish }) => ask(signedTransaction, "/sweep", { ...wish, nonce: Number(nonce) }),
    enrol: (operator, publicKey, approval) => ask(v.string(), "/enrol", { operator, publicKey, approval }),
    revoke: (keyId, by) => ask(v.literal("revoked"), "/revoke", { keyId, by }),
    async state() {
      const answer = await ask(signerState, "/state", {});
      if (!answer.ok) throw new SignerProblem(answer.detail);
      return answer.value;
    },
  };
}
