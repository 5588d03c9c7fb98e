import type { Clock, Payment } from "@fairtick/domain";
import type { PrivateKeyAccount } from "viem/accounts";
import { openBelief } from "./belief.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import { openLimits, refuse } from "./limits.ts";
import type { SignerAnswer, SignerRefusal } from "./messages.ts";
import type { Signed } from "./payment-text.ts";
import type { SignerNode, SignerRules } from "./settings.ts";
import { openSolidified, type SolidifiedChain } from "./tron.ts";

export interface SignerParts {
  readonly account: PrivateKeyAccount;
  readonly tronAccount: PrivateKeyAccount;
  readonly journal: Journal;
  readonly rules: SignerRules;
  readonly clock: Pick<Clock, "now">;
  /** Opens one of the signer's own nodes; replaced in tests. */
  readonly solidified?: (node: SignerNode) => SolidifiedChain;
}

export type SignerContext = ReturnType<typeof openContext>;

/** Makes the context that all calls share: the journal, and what follows from it. */
export function openContext(parts: SignerParts) {
  const { account, tronAccount, journal, rules, clock, solidified = openSolidified } = parts;
  const at = () => Number(clock.now());
  const all = <Kind extends JournalEntry["t"]>(kind: Kind) =>
    journal.entries.filter((one): one is Extract<JournalEntry, { t: Kind }> => one.t === kind);
  return {
    account,
    tronAccount,
    journal,
    rules,
    clock,
    solidified,
    at,
    all,
    own: new Set([account.address.toLowerCase(), tronAccount.address.toLowerCase()]),
    ...openLimits({ journal, rules, clock }),
    ...openBelief({ journal, rules }),
    /** Returns the last authorization of a withdrawal, even if it was retracted since. */
    lastAuthorized: (id: string) => all("authorized").findLast(({ payment }) => payment.id === id),
    /** Returns whether a withdrawal was canceled or rejected, as the server said. */
    isEnded: (id: string) => all("retracted").some((one) => one.id === id && one.final === true),
    signedOf: (id: string) => all("signed").filter((one) => one.id === id),
    /** Refuses a request that an honest server never makes and records an alarm, so that a person looks into it. */
    alarm: (refusal: SignerRefusal, detail: string): SignerAnswer<never> => {
      if (all("alarm").at(-1)?.text !== detail) journal.append({ t: "alarm", at: at(), text: detail });
      return refuse(refusal, detail);
    },
    chainOf: (payment: Payment) =>
      rules.chains.find(
        ({ chain, genesis, token }) =>
          chain === payment.chain && genesis === payment.genesis && token === payment.token,
      ),
    chainOfSigned: ({ digest }: Signed): bigint | null => {
      const chain = all("authorized").find((one) => one.digest === digest)?.payment.chain;
      return chain === undefined ? null : BigInt(chain);
    },
  };
}
