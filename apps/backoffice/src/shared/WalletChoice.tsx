import { Segments } from "@fairtick/ui";
import { WORDS } from "./words.ts";

export type Wallet = "practice" | "real";

/** Switches a report between the practice and the real wallets. */
export function WalletChoice({
  wallet,
  onChange,
}: {
  readonly wallet: Wallet;
  readonly onChange: (wallet: Wallet) => void;
}) {
  return (
    <Segments
      label="Wallet"
      look="slim"
      choices={[
        { value: "practice", label: WORDS.wallets.practice },
        { value: "real", label: WORDS.wallets.real },
      ]}
      value={wallet}
      onChange={onChange}
    />
  );
}
