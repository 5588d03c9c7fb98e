import { configPropose, type ConfigVersion } from "@fairtick/protocol/operator";
import { Field, Segments } from "@fairtick/ui";
import { useId, useState } from "react";
import { CallFailure } from "../data/call.ts";
import { useAct } from "../data/queries.ts";
import { CaseHead } from "../shared/Case.tsx";
import { Propose } from "../shared/ProposalDesk.tsx";
import { ADD_RULES, type AddDraft, changeDraft, emptyAddition, readAddition, usualSteps } from "./add-draft.ts";

const SOURCES: Readonly<Record<string, string>> = { kraken: "Kraken", binance: "Binance", pyth: "Pyth" };
const NAME_HINTS: Readonly<Record<string, string>> = {
  kraken: "As in its WebSocket API, such as LTC/USD",
  binance: "The USDT pair, such as LTCUSDT; digital assets only",
  pyth: "Feed id: 64 lowercase hexadecimal digits",
};

/**
 * When a new product opens. Simulated epochs last 10 minutes each, and the running one and the next three are committed to
 * before a product can be in one. A first price may come outside trading hours.
 */
const OPENS: Readonly<Record<AddDraft["source"], string>> = {
  simulated: "It opens with its first price, 30 to 40 minutes after approval, or when its trading hours next begin.",
  outside: "It opens with the first price from its source, within its trading hours.",
};

const MARKED = "Correct the marked fields.";

/** The form for a new product. One admin proposes it, another approves it. */
export function AddInstrument({ newest, offered }: { readonly newest: ConfigVersion; readonly offered: Offered }) {
  const models = newest.instruments;
  const [draft, setDraft] = useState(() => emptyAddition(offered.simulated ? "simulated" : "outside", models));
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const send = useSendAddition(draft, setWrong);
  const set = (change: Partial<AddDraft>) => {
    setDraft(changeDraft(draft, change, models));
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
        <Titles typed={draft.titles} wrong={ruleOf("titles")} onType={(titles) => set({ titles })} />
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
          {text("decimals", "Decimal places", "They follow the starting price until you type here")}
          <TermsOf chosen={draft.termsOf} newest={newest} onChoose={(termsOf) => set({ termsOf })} />
        </div>
        <PriceSource draft={draft} offered={offered} onChange={set} ruleOf={ruleOf} />
      </div>
      <Propose
        screen="config"
        label="Propose product"
        act={send}
        note={`Another admin has to approve it. Members see it as closed 10 seconds later. ${OPENS[draft.source]}`}
      />
    </>
  );
}

function Titles({
  typed,
  wrong,
  onType,
}: {
  readonly typed: string;
  readonly wrong: string | undefined;
  readonly onType: (typed: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Titles in other languages, one per line: de = Litecoin. The rest use the English title
      </label>
      <textarea
        id={id}
        className="box"
        rows={2}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {wrong !== undefined && <p className="hint alert">{wrong}</p>}
    </div>
  );
}

/** Chooses the product whose stakes, durations and rates the new one starts with. */
function TermsOf({
  chosen,
  newest,
  onChoose,
}: {
  readonly chosen: string;
  readonly newest: ConfigVersion;
  readonly onChoose: (symbol: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Copy terms from
      </label>
      <select id={id} className="box" value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        {newest.instruments.map(({ symbol, name }) => (
          <option key={symbol} value={symbol}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface Offered {
  readonly simulated: boolean;
  readonly outside: readonly string[];
}

/** Chooses where prices come from, and asks for what that source needs. */
function PriceSource({
  draft,
  offered,
  onChange,
  ruleOf,
}: {
  readonly draft: AddDraft;
  readonly offered: Offered;
  readonly onChange: (change: Partial<AddDraft>) => void;
  readonly ruleOf: (field: string) => string | undefined;
}) {
  return (
    <>
      <Segments
        label="Prices"
        look="slim"
        choices={[
          { value: "simulated", label: "Simulated", off: !offered.simulated },
          { value: "outside", label: "Outside source", off: offered.outside.length === 0 },
        ]}
        value={draft.source}
        onChange={(source) => onChange({ source })}
      />
      {ruleOf("source") !== undefined && <p className="hint alert">{ruleOf("source")}</p>}
      {draft.source === "simulated" ? (
        <SimulatedPrices draft={draft} onChange={onChange} ruleOf={ruleOf} />
      ) : (
        <OutsideNames outside={offered.outside} draft={draft} onChange={onChange} wrong={ruleOf("names")} />
      )}
    </>
  );
}

/** The figures that a simulated price is made from. */
function SimulatedPrices({
  draft,
  onChange,
  ruleOf,
}: {
  readonly draft: AddDraft;
  readonly onChange: (change: Partial<AddDraft>) => void;
  readonly ruleOf: (field: string) => string | undefined;
}) {
  const figure = (name: "anchor" | "volatility" | "spread" | "jumpsADay", label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      wrong={ruleOf(name === "jumpsADay" ? "jump" : name)}
      inputMode="decimal"
      autoComplete="off"
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  const steps = usualSteps(draft);
  return (
    <>
      <div className="form-pair">
        {figure("anchor", "Starting price", "The price slowly returns to it")}
        {figure("volatility", "Annual volatility, %", "EUR/USD: 8, BTC/USD: 55")}
        {figure("spread", "Spread", "Doubles in a storm")}
        {figure("jumpsADay", "Jumps per day", "Average: currencies 13, digital assets 47")}
      </div>
      <p className="note soft">
        {steps === null
          ? "In 30 seconds, the price should typically move by at least 50 of its smallest steps."
          : `Typical move in 30 seconds: ${steps} of the smallest price steps. It needs at least 50.`}
      </p>
    </>
  );
}

/** What the product is called at each outside source. */
function OutsideNames({
  outside,
  draft,
  onChange,
  wrong,
}: {
  readonly outside: readonly string[];
  readonly draft: AddDraft;
  readonly onChange: (change: Partial<AddDraft>) => void;
  readonly wrong: string | undefined;
}) {
  return outside.map((source) => (
    <Field
      key={source}
      label={`Name at ${SOURCES[source] ?? source}`}
      hint={NAME_HINTS[source]}
      wrong={wrong}
      autoComplete="off"
      value={draft.names[source] ?? ""}
      onChange={(event) => onChange({ names: { ...draft.names, [source]: event.currentTarget.value } })}
    />
  ));
}

/** Returns a function that proposes the draft. Fields that the rules or the server refuse are handed to `onWrong`. */
function useSendAddition(draft: AddDraft, onWrong: (fields: readonly string[]) => void) {
  const propose = useAct(configPropose);
  return async function send(reason: string) {
    const read = readAddition(draft);
    if (!read.ok) {
      onWrong(read.fields);
      throw new Error(MARKED);
    }
    try {
      return await propose.mutateAsync({ add: read.add, reason });
    } catch (failure) {
      const fields = failure instanceof CallFailure ? Object.keys(failure.fields) : [];
      if (fields.length === 0) throw failure;
      onWrong(fields);
      throw fields.every((field) => field in ADD_RULES) ? new Error(MARKED) : failure;
    }
  };
}
