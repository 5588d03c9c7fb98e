import type { ChainSettings } from "../../platform/chain-settings.ts";
import { openNode } from "../chain/index.ts";
import { openPayoutNode } from "./payout-node.ts";
import { newPayoutMemory, type PayoutMemory, type PayoutParts } from "./payout-parts.ts";
import { payoutRound } from "./payout-round.ts";
import type { SignerDoor } from "../signer/index.ts";
import type { WithdrawalContext } from "../withdrawals/index.ts";

const EVERY_MS = 1_000;
/** So many rounds have to fail before it is told: a signer that starts together with the server may be later by one. */
const TELLING = 2;

/** What follows each round of payments with the same worker, so that both sign one after the other: bringing deposits in. */
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

/** Pays on each chain of the settings; none where there is no signer. */
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
        // Told once: a node or a signer that is away is asked again each round.
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

  // A request or an approval need not wait for the next second.
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
