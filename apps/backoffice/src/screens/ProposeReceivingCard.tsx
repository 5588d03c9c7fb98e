import { type ReceivingCard, receivingCardPropose } from "@fairtick/protocol/operator";
import { Field, Notice, Tick } from "@fairtick/ui";
import { useState } from "react";
import { CallFailure } from "../data/call.ts";
import { useAct } from "../data/queries.ts";
import { Decide } from "../shared/Decide.tsx";

const FIELDS = [
  ["currency", "Currency (ISO 4217)"],
  ["regions", "Regions (ISO 3166, separated by commas; empty for all with a real wallet)"],
  ["bank", "Bank"],
  ["bankCode", "BIC or national bank code"],
  ["holder", "Account holder"],
  ["number", "IBAN or account number"],
  ["rate", "Exchange rate for 1 USD"],
  ["note", "Note for members"],
] as const;
type Name = (typeof FIELDS)[number][0];
type Typed = Readonly<Record<Name, string>>;

const EMPTY: Typed = {
  currency: "",
  regions: "",
  bank: "",
  bankCode: "",
  holder: "",
  number: "",
  rate: "",
  note: "",
};

function typedOf(card: ReceivingCard | undefined): Typed {
  if (!card) return EMPTY;
  const { currency, regions, bank, bankCode, holder, number, rate, note } = card;
  return { currency, regions: regions.join(", "), bank, bankCode: bankCode ?? "", holder, number, rate, note };
}

/** Returns what was typed as the call expects it. */
function sentOf(typed: Typed) {
  const regions = typed.regions
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((region) => region !== "");
  return {
    regions,
    currency: typed.currency.trim().toUpperCase(),
    bank: typed.bank.trim(),
    bankCode: typed.bankCode.trim().toUpperCase() || null,
    holder: typed.holder.trim(),
    number: typed.number.trim(),
    note: typed.note.trim(),
    rate: typed.rate.trim(),
  };
}

/** Proposes a receiving card or a new version of one. Another admin decides. */
export function ProposeReceivingCard({ card }: { readonly card?: ReceivingCard }) {
  const propose = useAct(receivingCardPropose);
  const [typed, setTyped] = useState(typedOf(card));
  const [active, setActive] = useState(card?.active ?? true);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [made, setMade] = useState<string | null>(null);

  async function send(reason: string) {
    setWrong({});
    try {
      const { proposalId } = await propose.mutateAsync({
        ...(card && { cardId: card.cardId }),
        ...sentOf(typed),
        active,
        reason,
      });
      setMade(proposalId);
    } catch (failure) {
      if (failure instanceof CallFailure) setWrong(failure.fields);
      throw failure;
    }
  }

  return (
    <div className="form part">
      {FIELDS.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          autoComplete="off"
          value={typed[name]}
          wrong={wrong[name]}
          disabled={name === "currency" && card !== undefined}
          onChange={(event) => {
            setTyped({ ...typed, [name]: event.currentTarget.value });
            setMade(null);
          }}
        />
      ))}
      <Tick on={active} onChange={setActive}>
        Offered to members
      </Tick>
      {made !== null && (
        <Notice>
          Proposed as{" "}
          <a className="link" href={`#/cards/${made}`}>
            {made}
          </a>
          . Another admin decides.
        </Notice>
      )}
      <Decide decisions={[{ label: "Propose", key: "a", main: true, act: send }]} />
    </div>
  );
}
