import type { Stories } from "@fairtick/ui/story.ts";
import { CreditOffer, SwitchOffer } from "./CreditOffer.tsx";
import { WalletLine } from "./WalletLine.tsx";

export const stories = {
  CreditOffer: { "nothing has arrived": () => <CreditOffer /> },
  SwitchOffer: { "a deposit has arrived": () => <SwitchOffer amount="1250.00" /> },
  WalletLine: {
    "a deposit": () => <WalletLine way="to" />,
    "a withdrawal": () => <WalletLine way="from" />,
  },
} satisfies Stories;
