import type { ChainSettings } from "../../platform/chain-settings.ts";
import { openNode } from "../chain/index.ts";
import { openPayoutNode } from "./payout-node.ts";
import { newPayoutMemory, type PayoutMemory, type PayoutParts } from "./payout-parts.ts";
import { payoutRound } from "./payout-round.ts";
import type { SignerDoor } from "../signer/index.ts";
import type { WithdrawalContext } from "../withdrawals/index.ts";

const EVERY_MS = 1_000;
/**
 * How many rounds must fail before the failure is logged. If a signer starts together with the server, the first round
 * may fail.
 */
const TELLING = 2;

/** Runs after each round of payments in the same worker (the sweeps), so that the two never sign at the same time. */
export type AfterRound = (parts: PayoutParts, memory: PayoutMemory) => Promise<void>;

export interface Payouts {
  close(): Promise<void>;
}

type PayoutContext = Omit<WithdrawalContext, "signer" | "config" | "messenger"> & { readonly signer: SignerDoor };

export function payoutParts(context: PayoutContext, settings: ChainSettings): PayoutParts {
  const { databases, clock, log, bus, ids, signer } = context;
  const witness = settings.witnessUrl === null ? null : openNode(settings.witnessUrl, settings.witnessHeaders);
  return { databases, clock, log, bus, ids, signer, settings, witness, node: openPayoutNode(settings) };
}

/** Starts paying on each chain of the settings. Without a signer, it starts nothing. */
export function startPayouts(context: Omit<WithdrawalContext, "messenger">, afterRound: AfterRound): Payouts {
  const { signer } = context;
  const workers =
    signer === null
      ? []
      : context.config.chains.map((settings) => startWorker(payoutParts({ ...context, signer }, settings), afterRound));
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

function startWorker(parts: PayoutParts, afterRound: AfterRound): Payouts {
  const { log, settings, bus } = parts;
  const memory = newPayoutMemory();
  const life = { over: false, failures: 0 };
  let wake: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!life.over) {
      try {
        await payoutRound(parts, memory);
        await afterRound(parts, memory);
        if (life.failures >= TELLING) log.info({ chain: settings.chain }, "withdrawals can be paid again");
        life.failures = 0;
      } catch (error) {
        life.failures += 1;
        // Log it once only: a node or signer that is down fails in each round.
        if (!life.over && life.failures === TELLING) {
          log.warn({ err: error, chain: settings.chain }, "withdrawals cannot be paid");
        }
      }
      if (life.over) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, EVERY_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  // A new request or approval starts a round at once instead of waiting for the next second.
  const stop = bus.subscribe("withdrawals", () => wake());
  const running = run();
  return {
    async close() {
      life.over = true;
      stop();
      wake();
      await running;
    },
  };
}
