import { configPropose, type ConfigVersion } from "@fairtick/protocol/operator";
import { Field, Segments } from "@fairtick/ui";
import { useId, useState } from "react";
import { CallFailure } from "../data/call.ts";
import { useAct } from "../data/queries.ts";
import { CaseHead } from "../shared/Case.tsx";
import { Propose } from "../shared/ProposalDesk.tsx";
import { ADD_RULES, type AddDraft, emptyAddition, readAddition, usualSteps } from "./add-draft.ts";

const SOURCES: Readonly<Record<string, string>> = { kraken: "Kraken", binance: "Binance", pyth: "Pyth" };
const NAME_HINTS: Readonly<Record<string, string>> = {
  kraken: "As in its WebSocket API, such as LTC/USD",
  binance: "The USDT pair, such as LTCUSDT; digital assets only",
  pyth: "Feed id: 64 lowercase hexadecimal digits",
};

const MARKED = "Correct the marked fields.";

/** The form for a new product. One admin proposes it, another approves it. */
export function AddInstrument({
  newest,
  offered,
}: {
  readonly newest: ConfigVersion;
  readonly offered: { readonly simulated: boolean; readonly outside: readonly string[] };
}) {
  const first = newest.instruments.at(0)?.symbol ?? "";
  const [draft, setDraft] = useState<AddDraft>(() => emptyAddition(offered.simulated ? "simulated" : "outside", first));
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const propose = useAct(configPropose);
  const [titlesField, termsField] = [useId(), useId()];
  const set = (change: Partial<AddDraft>) => {
    setDraft({ ...draft, ...change });
    setWrong([]);
  };
  const ruleOf = (field: string) => (wrong.includes(field) ? ADD_RULES[field] : undefined);
  const text = (name: "name" | "symbol" | "title" | "decimals", label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      wrong={ruleOf(name)}
      autoComplete="off"
      value={draft[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  const figure = (name: "anchor" | "volatility" | "spread" | "jumpsADay", label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      wrong={ruleOf(name === "jumpsADay" ? "jump" : name)}
      inputMode="decimal"
      autoComplete="off"
      value={draft[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  const steps = usualSteps(draft);

  async function send(reason: string) {
    const read = readAddition(draft);
    if (!read.ok) {
      setWrong(read.fields);
      throw new Error(MARKED);
    }
    try {
      return await propose.mutateAsync({ add: read.add, reason });
    } catch (failure) {
      const fields = failure instanceof CallFailure ? Object.keys(failure.fields) : [];
      if (fields.length === 0) throw failure;
      setWrong(fields);
      throw fields.every((field) => field in ADD_RULES) ? new Error(MARKED) : failure;
    }
  }

  return (
    <>
      <CaseHead title="New product" state="Proposal" />
      <p className="label">
        You can’t change the name, decimals or price source later, or reuse a symbol. To stop a product, suspend it.
      </p>
      <div className="form">
        <div className="form-pair">
          {text("name", "Name", "As shown to members: LTC/USD")}
          {text("symbol", "Symbol", "Leave empty for the name without the slash")}
        </div>
        {text("title", "Title in English", "Such as Litecoin")}
        <div className="field">
          <label className="label" htmlFor={titlesField}>
            Titles in other languages, one per line: de = Litecoin. The rest use the English title
          </label>
          <textarea
            id={titlesField}
            className="box"
            rows={2}
            value={draft.titles}
            onChange={(event) => set({ titles: event.currentTarget.value })}
          />
          {ruleOf("titles") !== undefined && <p className="hint alert">{ruleOf("titles")}</p>}
        </div>
        <Segments
          label="Kind"
          look="slim"
          choices={[
            { value: "crypto", label: "Digital asset" },
            { value: "fx", label: "Currency or metal" },
          ]}
          value={draft.kind}
          onChange={(kind) => set({ kind })}
        />
        <div className="form-pair">
          {text("decimals", "Decimal places", "In its price")}
          <div className="field">
            <label className="label" htmlFor={termsField}>
              Copy terms from
            </label>
            <select
              id={termsField}
              className="box"
              value={draft.termsOf}
              onChange={(event) => set({ termsOf: event.currentTarget.value })}
            >
              {newest.instruments.map(({ symbol, name }) => (
                <option key={symbol} value={symbol}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </div>
        <Segments
          label="Prices"
          look="slim"
          choices={[
            { value: "simulated", label: "Simulated", off: !offered.simulated },
            { value: "outside", label: "Outside source", off: offered.outside.length === 0 },
          ]}
          value={draft.source}
          onChange={(source) => set({ source })}
        />
        {ruleOf("source") !== undefined && <p className="hint alert">{ruleOf("source")}</p>}
        {draft.source === "simulated" ? (
          <>
            <div className="form-pair">
              {figure("anchor", "Starting price", "The price slowly returns to it")}
              {figure("volatility", "Annual volatility, %", "EUR/USD: 8, BTC/USD: 55")}
              {figure("spread", "Spread", "Doubles in a storm")}
              {figure("jumpsADay", "Jumps per day", "Average: currencies 13, digital assets 47")}
            </div>
            {steps !== null && (
              <p className="note soft">
                Typical move in 30 seconds: {steps} of the smallest price steps. It needs at least 50.
              </p>
            )}
          </>
        ) : (
          offered.outside.map((source) => (
            <Field
              key={source}
              label={`Name at ${SOURCES[source] ?? source}`}
              hint={NAME_HINTS[source]}
              wrong={ruleOf("names")}
              autoComplete="off"
              value={draft.names[source] ?? ""}
              onChange={(event) => set({ names: { ...draft.names, [source]: event.currentTarget.value } })}
            />
          ))
        )}
      </div>
      <Propose
        screen="config"
        label="Propose product"
        act={send}
        note="Another admin has to approve it. Members see it 10 seconds later, and it opens with its first price."
      />
    </>
  );
}
