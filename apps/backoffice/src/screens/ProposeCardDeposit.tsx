import { BANK_DEPOSIT_MAX, BANK_DEPOSIT_MIN, formatMoney } from "@fairtick/domain";
import { depositProposeCard } from "@fairtick/protocol/operator";
import { Field, Notice } from "@fairtick/ui";
import { useRef, useState } from "react";
import { useAct } from "../data/queries.ts";
import { Decide } from "../shared/Decide.tsx";
import { money, typedAmount } from "../shared/format.ts";

/** Creates a deposit request for a card payment a member reported. A second person in finance decides. */
export function ProposeCardDeposit({
  memberId,
  amount: told = "",
}: {
  readonly memberId: string;
  /** Amount the member gave in the chat. */
  readonly amount?: string;
}) {
  const [amount, setAmount] = useState(told);
  const [reference, setReference] = useState("");
  const [made, setMade] = useState<string | null>(null);
  const propose = useAct(depositProposeCard);
  /** The last request without an answer. Sending it again reuses its id, so it can't create a second deposit. */
  const unanswered = useRef<{ readonly sent: string; readonly clientId: string }>(null);
  return (
    <>
      <Field
        label="Amount paid by card"
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        after={<span className="unit">USD</span>}
      />
      <Field
        label="Acquirer’s payment reference"
        autoComplete="off"
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      {made !== null && (
        <Notice>
          Proposed as{" "}
          <a className="link" href={`#/deposits/${made}`}>
            {made}
          </a>
          . The member sees it as Processing. A second person in finance decides.
        </Notice>
      )}
      <Decide
        decisions={[
          {
            label: "Propose",
            key: "a",
            main: true,
            act: async (reason) => {
              const wish = { memberId, amount: typedAmount(amount), reference: reference.trim(), reason };
              const sent = JSON.stringify(wish);
              if (unanswered.current?.sent !== sent) unanswered.current = { sent, clientId: crypto.randomUUID() };
              const { depositNo } = await propose.mutateAsync({ ...wish, clientId: unanswered.current.clientId });
              unanswered.current = null;
              setAmount("");
              setReference("");
              setMade(depositNo);
            },
          },
        ]}
        note={`From ${money(formatMoney(BANK_DEPOSIT_MIN))} to ${money(formatMoney(BANK_DEPOSIT_MAX))}. Each payment reference can be used once. Nothing is credited until it’s approved.`}
      />
    </>
  );
}
