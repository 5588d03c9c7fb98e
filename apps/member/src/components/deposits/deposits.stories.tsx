import type { Stories } from "@fairtick/ui/story.ts";
import { DEPOSIT } from "../story-data.tsx";
import { AskAboutIt } from "./AskAboutIt.tsx";
import { DepositHead } from "./DepositHead.tsx";
import { DepositRows } from "./DepositRows.tsx";
import { NoDeposit } from "./NoDeposit.tsx";
import { ReceiptForm } from "./ReceiptForm.tsx";
import { Remittance } from "./Remittance.tsx";

const confirming = {
  ...DEPOSIT,
  depositNo: "dep_02story",
  method: "crypto",
  stage: "confirming",
  confirmations: 1,
  confirmationsNeeded: 2,
} as const;

export const stories = {
  AskAboutIt: { usual: () => <AskAboutIt /> },
  DepositHead: {
    "under way": () => <DepositHead deposit={confirming} />,
    failed: () => (
      <DepositHead deposit={{ ...DEPOSIT, state: "failed", stage: "rejected", reason: "No transfer arrived" }} />
    ),
  },
  DepositRows: {
    "one of each state": () => (
      <DepositRows
        deposits={[
          DEPOSIT,
          confirming,
          { ...DEPOSIT, depositNo: "dep_03story", state: "deposited", stage: "credited" },
          { ...DEPOSIT, depositNo: "dep_04story", state: "failed", stage: "rejected", reason: "No transfer arrived" },
        ]}
      />
    ),
  },
  NoDeposit: {
    "none chosen": () => <NoDeposit depositNo="" />,
    unknown: () => <NoDeposit depositNo="dep_unknown" />,
  },
  ReceiptForm: {
    first: () => <ReceiptForm depositNo="dep_01story" submit="Submit receipt" />,
    again: () => <ReceiptForm depositNo="dep_01story" submit="Replace receipt" again />,
  },
  Remittance: {
    "in another currency": () => <Remittance deposit={DEPOSIT} />,
    "with a code to scan": () => <Remittance deposit={{ ...DEPOSIT, qr: "BCD\n002\n1\nSCT\n\nFairtick Ltd" }} />,
  },
} satisfies Stories;
