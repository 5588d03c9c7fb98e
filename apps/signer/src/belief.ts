import type { Journal, JournalEntry } from "./journal.ts";
import type { Authorized } from "./limits.ts";
import type { SignerRules } from "./settings.ts";

/**
 * Tells which operators' keys the signer trusts according to its own journal: all that were enrolled and not revoked
 * since.
 */
export function openBelief({ journal, rules }: { readonly journal: Journal; readonly rules: SignerRules }) {
  const all = <Kind extends JournalEntry["t"]>(kind: Kind) =>
    journal.entries.filter((one): one is Extract<JournalEntry, { t: Kind }> => one.t === kind);
  const isRevoked = (keyId: string) => all("revoked").some((one) => one.keyId === keyId);
  const believedKeys = () => all("key").filter(({ keyId }) => !isRevoked(keyId));
  const neededFor = (amount: bigint) => (amount > rules.singleMax ? 2 : 1);

  /** Returns whether enough of the keys that signed for the payment are still trusted. */
  function isStillAgreed({ how, keys, payment }: Authorized): boolean {
    if (how === "automatic") return true;
    const believed = believedKeys().filter(({ keyId }) => keys.includes(keyId));
    return new Set(believed.map(({ operator }) => operator)).size >= neededFor(BigInt(payment.amount));
  }

  return { believedKeys, isRevoked, neededFor, isStillAgreed };
}
