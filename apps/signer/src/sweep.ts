import type { Clock } from "@fairtick/domain";
import { encodeFunctionData, erc20Abi, keccak256, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Journal, JournalEntry } from "./journal.ts";
import type { SweepKeys } from "./key.ts";
import type { SignedTransaction, SignerAnswer, SignerRefusal, SweepMessage } from "./messages.ts";
import { isBumped } from "./make-transaction.ts";
import type { SignerRules } from "./settings.ts";
import { chainOfBytes, findUse } from "./used-nonces.ts";

type Swept = Extract<JournalEntry, { t: "sweep" }>;

const DAY_MS = 86_400_000;
const COIN_GAS = 21_000n;

export interface Sweeper {
  readonly gasAddress: string;
  /** Signs one attempt. The same id, step and attempt always get the same bytes. */
  sign(message: SweepMessage): Promise<SignerAnswer<SignedTransaction>>;
}

/**
 * Opens the sweeper, which signs the transactions that move deposits to the paying wallet. Tokens can only go from a
 * deposit's address to the paying wallet, and coins only from the gas wallet to a deposit's address. No approval is
 * needed, because only gas could be lost, which has limits of its own. Calls must be made one after another.
 */
export function openSweeper(parts: {
  readonly keys: SweepKeys;
  readonly payingWallet: string;
  readonly journal: Journal;
  readonly rules: SignerRules;
  readonly clock: Pick<Clock, "now">;
}): Sweeper {
  const { keys, payingWallet, journal, rules, clock } = parts;
  const at = () => Number(clock.now());
  const all = () => journal.entries.filter((one): one is Swept => one.t === "sweep");

  function alarm(refusal: SignerRefusal, detail: string) {
    journal.append({ t: "alarm", at: at(), text: detail });
    return refuse(refusal, detail);
  }

  /** Sums the gas money sent in the last 24 hours, counting each sweep once, except `id`. */
  function givenToday(id: string): bigint {
    const given = new Map<string, bigint>();
    for (const one of all()) {
      if (one.step === "gas" && one.id !== id && one.at > at() - DAY_MS) given.set(one.id, BigInt(one.amount));
    }
    return [...given.values()].reduce((sum, amount) => sum + amount, 0n);
  }

  return {
    gasAddress: keys.gas.address.toLowerCase(),
    async sign(message) {
      const { id, step, genesis, nonce, attempt } = message;
      const allowed = rules.chains.find(
        (one) => one.chain === message.chain && one.genesis === genesis && one.token === message.token,
      );
      if (allowed === undefined || allowed.kind !== "evm") {
        return alarm("NOT_ALLOWED", `${id}: chain or token is not on the list`);
      }
      const route = routeOf(keys, payingWallet, message);
      const before = all().filter((one) => one.id === id && one.step === step);
      if (before.some((one) => !isSameSweep(one, message, route.wanted))) {
        return alarm("OTHER_PAYMENT", `${id} was signed as another ${step}`);
      }
      if (before.some((one) => one.nonce !== nonce)) {
        return alarm("OTHER_NONCE", `${id} was signed with nonce ${before[0]?.nonce}, but ${nonce} was requested`);
      }
      const same = before.find((one) => one.attempt === attempt);
      if (same !== undefined) return { ok: true, value: answerOf(same) };
      const { from } = route.wanted;
      const taken = await findUse(all(), () => null, { chain: message.chain, genesis, from, nonce }, id);
      if (taken !== undefined) {
        return alarm("OTHER_NONCE", `nonce ${nonce} of ${from} belongs to ${taken.id}, but ${id} requested it`);
      }
      const refused = refuseTerms(rules, message, before.at(-1)) ?? refuseTopUp(rules, message, givenToday(id));
      if (refused !== null) return refused;
      const raw = await signSweep(route, payingWallet, rules, message);
      const fees = { maxFee: String(message.maxFee), priorityFee: String(message.priorityFee) };
      const hash = keccak256(raw);
      const entry: Swept = { t: "sweep", at: at(), id, step, ...route.wanted, nonce, attempt, ...fees, hash, raw };
      journal.append(entry);
      return { ok: true, value: answerOf(entry) };
    },
  };
}

interface Route {
  readonly signer: PrivateKeyAccount;
  /** Address of the deposit. */
  readonly deposit: Hex;
  readonly wanted: Pick<Swept, "genesis" | "from" | "to" | "amount">;
}

/** Returns the route of a step: from the gas wallet to the deposit's address, or from there to the paying wallet. */
function routeOf(keys: SweepKeys, payingWallet: string, { step, child, genesis, amount }: SweepMessage): Route {
  const deposit = keys.deposit(child);
  const [signer, to] = step === "gas" ? [keys.gas, deposit.address] : [deposit, payingWallet];
  const wanted = { genesis, from: signer.address.toLowerCase(), to: to.toLowerCase(), amount: String(amount) };
  return { signer, deposit: deposit.address, wanted };
}

function isSameSweep(one: Swept, { chain }: SweepMessage, { genesis, from, to, amount }: Route["wanted"]): boolean {
  return (
    chainOfBytes(one.raw) === chain &&
    one.genesis === genesis &&
    one.from === from &&
    one.to === to &&
    one.amount === amount
  );
}

function refuse(refusal: SignerRefusal, detail: string) {
  return { ok: false, refusal, detail } as const;
}

function refuseTerms(
  { feePerGasMax }: SignerRules,
  { id, attempt, amount, maxFee, priorityFee }: SweepMessage,
  last: Swept | undefined,
) {
  if (attempt !== (last?.attempt ?? 0) + 1) return refuse("FEE", `${id}: attempt ${attempt} is not the next one`);
  if (amount <= 0n) return refuse("PAYMENT_LIMIT", `${id} moves nothing`);
  if (maxFee > feePerGasMax || priorityFee > maxFee) {
    return refuse("FEE", `${id}: ${maxFee} per gas is above ${feePerGasMax}`);
  }
  if (last !== undefined && !(isBumped(maxFee, last.maxFee) && isBumped(priorityFee, last.priorityFee))) {
    return refuse("FEE", `${id}: another attempt must pay an eighth more than the last one`);
  }
  return null;
}

function refuseTopUp({ topUpMax, topUpDayMax }: SignerRules, { id, step, amount }: SweepMessage, givenToday: bigint) {
  if (step !== "gas") return null;
  if (amount > topUpMax) return refuse("PAYMENT_LIMIT", `${id}: ${amount} wei for gas`);
  if (givenToday + amount > topUpDayMax) {
    return refuse("DAY_LIMIT", `${id}: more than ${topUpDayMax} wei for gas in 24 hours`);
  }
  return null;
}

function signSweep({ signer, deposit }: Route, payingWallet: string, rules: SignerRules, message: SweepMessage) {
  const { chain, step, token, nonce, amount, maxFee, priorityFee } = message;
  const data = () =>
    encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [payingWallet as Hex, amount] });
  return signer.signTransaction({
    type: "eip1559",
    chainId: Number(chain),
    nonce,
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: priorityFee,
    ...(step === "gas"
      ? { to: deposit, value: amount, gas: COIN_GAS }
      : { to: token as Hex, gas: rules.gas, data: data() }),
  });
}

function answerOf({ raw, hash, maxFee, priorityFee }: Swept): SignedTransaction {
  return { raw, hash, maxFee, priorityFee };
}
