import type { Clock } from "@fairtick/domain";
import { encodeFunctionData, erc20Abi, keccak256, type Hex } from "viem";
import type { Journal, JournalEntry } from "./journal.ts";
import type { SweepKeys } from "./key.ts";
import type { SignedTransaction, SignerAnswer, SignerRefusal, SweepMessage } from "./messages.ts";
import type { SignerRules } from "./settings.ts";
import { chainOfBytes, findUse } from "./used-nonces.ts";

type Swept = Extract<JournalEntry, { t: "sweep" }>;

const DAY_MS = 86_400_000;
const COIN_GAS = 21_000n;

export interface Sweeper {
  readonly gasAddress: string;
  /** The bytes of one attempt, of which there is only ever one kind: the same id, step and attempt get the same again. */
  sign(message: SweepMessage): Promise<SignerAnswer<SignedTransaction>>;
}

/**
 * Signs what brings deposits into the paying wallet. Tokens go from a deposit's address to the paying wallet and nowhere
 * else, coins from the gas wallet to a deposit's address and nowhere else, so that no approval is asked for: what could be
 * lost is gas, and that has limits of its own. Calls must come one after the other.
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
  const refuse = (refusal: SignerRefusal, detail: string) => ({ ok: false, refusal, detail }) as const;

  function alarm(refusal: SignerRefusal, detail: string) {
    journal.append({ t: "alarm", at: at(), text: detail });
    return refuse(refusal, detail);
  }

  /** Given for gas in the last 24 hours, of each sweep once, without `id`. */
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
      const { id, step, genesis, nonce, attempt, maxFee, priorityFee } = message;
      const allowed = rules.chains.find(
        (one) => one.chain === message.chain && one.genesis === genesis && one.token === message.token,
      );
      if (allowed === undefined || allowed.kind !== "evm") {
        return alarm("NOT_ALLOWED", `${id}: chain or token is not on the list`);
      }
      const deposit = keys.deposit(message.child);
      const [signer, to] = step === "gas" ? [keys.gas, deposit.address] : [deposit, payingWallet];
      const wanted = {
        genesis,
        from: signer.address.toLowerCase(),
        to: to.toLowerCase(),
        amount: String(message.amount),
      };
      const before = all().filter((one) => one.id === id && one.step === step);
      const other = before.find(
        (one) =>
          chainOfBytes(one.raw) !== message.chain ||
          one.genesis !== genesis ||
          one.from !== wanted.from ||
          one.to !== wanted.to ||
          one.amount !== wanted.amount,
      );
      if (other !== undefined) return alarm("OTHER_PAYMENT", `${id} was signed as another ${step}`);
      if (before.some((one) => one.nonce !== nonce)) {
        return alarm("OTHER_NONCE", `${id} was signed with nonce ${before[0]?.nonce}, now ${nonce} is asked for`);
      }
      const same = before.find((one) => one.attempt === attempt);
      if (same !== undefined) return { ok: true, value: answerOf(same) };
      const place = { chain: message.chain, genesis, from: wanted.from, nonce };
      const taken = await findUse(all(), () => null, place, id);
      if (taken !== undefined) {
        return alarm("OTHER_NONCE", `nonce ${nonce} of ${wanted.from} is ${taken.id}'s, now ${id} asks for it`);
      }
      const last = before.at(-1);
      if (attempt !== (last?.attempt ?? 0) + 1) return refuse("FEE", `${id}: attempt ${attempt} is not the next one`);
      if (message.amount <= 0n) return refuse("PAYMENT_LIMIT", `${id} moves nothing`);
      if (maxFee > rules.feePerGasMax || priorityFee > maxFee) {
        return refuse("FEE", `${id}: ${maxFee} per gas is above ${rules.feePerGasMax}`);
      }
      const bumped = (now: bigint, then: string) => now * 1000n >= BigInt(then) * 1125n;
      if (last !== undefined && !(bumped(maxFee, last.maxFee) && bumped(priorityFee, last.priorityFee))) {
        return refuse("FEE", `${id}: another attempt has to pay an eighth more than the last one`);
      }
      if (step === "gas") {
        if (message.amount > rules.topUpMax) return refuse("PAYMENT_LIMIT", `${id}: ${message.amount} wei for gas`);
        if (givenToday(id) + message.amount > rules.topUpDayMax) {
          return refuse("DAY_LIMIT", `${id}: more than ${rules.topUpDayMax} wei for gas in 24 hours`);
        }
      }
      const raw = await signer.signTransaction({
        type: "eip1559",
        chainId: Number(message.chain),
        nonce,
        maxFeePerGas: maxFee,
        maxPriorityFeePerGas: priorityFee,
        ...(step === "gas"
          ? { to: deposit.address, value: message.amount, gas: COIN_GAS }
          : {
              to: message.token as Hex,
              gas: rules.gas,
              data: encodeFunctionData({
                abi: erc20Abi,
                functionName: "transfer",
                args: [payingWallet as Hex, message.amount],
              }),
            }),
      });
      const fees = { maxFee: String(maxFee), priorityFee: String(priorityFee) };
      const entry: Swept = {
        t: "sweep",
        at: at(),
        id,
        step,
        ...wanted,
        nonce,
        attempt,
        ...fees,
        hash: keccak256(raw),
        raw,
      };
      journal.append(entry);
      return { ok: true, value: answerOf(entry) };
    },
  };
}

function answerOf({ raw, hash, maxFee, priorityFee }: Swept): SignedTransaction {
  return { raw, hash, maxFee, priorityFee };
}
