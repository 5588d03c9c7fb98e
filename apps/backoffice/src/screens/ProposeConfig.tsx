import { configPropose, type ConfigVersion } from "@fairtick/protocol/operator";
import { Field, Segments } from "@fairtick/ui";
import { type ReactNode, useId, useState } from "react";
import { useAct } from "../data/queries.ts";
import { CaseHead, Ledger } from "../shared/Case.tsx";
import { instantOf, money, percent } from "../shared/format.ts";
import { Propose } from "../shared/ProposalDesk.tsx";
import { changeOf, type Draft, draftOf } from "./config-draft.ts";

type Terms = ConfigVersion["instruments"][number];

/** One product's terms and the form to propose new ones, from a date or as soon as approved. */
export function ProposeConfig({
  terms,
  newest,
  may,
}: {
  readonly terms: Terms;
  readonly newest: ConfigVersion;
  readonly may: boolean;
}) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(terms));
  const [from, setFrom] = useState("");
  const propose = useAct(configPropose);
  return (
    <>
      <CaseHead title={terms.name} state={terms.suspended ? "Suspended" : "Open"} />
      <Ledger
        figures={[
          ["Fee", percent(terms.feeRate)],
          ["Minimum", money(terms.minStake)],
          ["Maximum", money(terms.maxStake)],
          ["Exposure", percent(terms.exposureShare)],
        ]}
      />
      <TermsForm draft={draft} may={may} onChange={setDraft}>
        {may && (
          <Field
            label="Effective from, UTC"
            hint="Leave empty for 10 seconds after approval. It must be later than every scheduled version."
            type="datetime-local"
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
        )}
      </TermsForm>
      {may && (
        <Propose
          screen="config"
          label={`Propose version ${newest.version + 1}`}
          act={(reason) => {
            const change = changeOf(terms, draft);
            if (change === null) throw new Error("Write durations one per line, such as 60 = 0.85.");
            if (Object.keys(change).length === 1) throw new Error("Nothing has changed.");
            const effectiveAt = instantOf(from);
            return propose.mutateAsync({
              instruments: [change],
              ...(effectiveAt !== undefined && { effectiveAt }),
              reason,
            });
          }}
          note="Another admin has to approve it. It applies to new orders only."
        />
      )}
    </>
  );
}

/** The fields of a product's terms, read-only for those who may not propose. */
function TermsForm({
  draft,
  may,
  onChange,
  children,
}: {
  readonly draft: Draft;
  readonly may: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly children: ReactNode;
}) {
  const durationsField = useId();
  const set =
    <Name extends keyof Draft>(name: Name) =>
    (value: Draft[Name]) =>
      onChange({ ...draft, [name]: value });
  const text = (name: "feeRate" | "minStake" | "maxStake" | "exposureShare", label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      inputMode="decimal"
      autoComplete="off"
      readOnly={!may}
      value={draft[name]}
      onChange={(event) => set(name)(event.currentTarget.value)}
    />
  );
  return (
    <div className="form">
      <Openness draft={draft} may={may} onChange={onChange} />
      <div className="field">
        <label className="label" htmlFor={durationsField}>
          Durations in seconds and payout rates, one per line
        </label>
        <textarea
          id={durationsField}
          className="box code"
          rows={7}
          readOnly={!may}
          value={draft.durations}
          onChange={(event) => set("durations")(event.currentTarget.value)}
        />
      </div>
      <div className="form-pair">
        {text("minStake", "Minimum stake", "USD")}
        {text("maxStake", "Maximum stake", "USD")}
        {text("feeRate", "Fee rate", "0.01 is 1%")}
        {text("exposureShare", "Share of the pool", "0.20 is 20%")}
      </div>
      {children}
    </div>
  );
}

/** Whether new orders are accepted, and during which hours. */
function Openness({
  draft,
  may,
  onChange,
}: {
  readonly draft: Draft;
  readonly may: boolean;
  readonly onChange: (draft: Draft) => void;
}) {
  return (
    <>
      <Segments
        label="New orders"
        look="slim"
        choices={[
          { value: "open", label: "Open", off: !may },
          { value: "suspended", label: "Suspended", off: !may },
        ]}
        value={draft.suspended ? "suspended" : "open"}
        onChange={(value) => onChange({ ...draft, suspended: value === "suspended" })}
      />
      <Segments
        label="Session"
        look="slim"
        choices={[
          { value: "always", label: "Always open", off: !may },
          { value: "fx-new-york", label: "New York FX week", off: !may },
        ]}
        value={draft.sessionHours}
        onChange={(sessionHours) => onChange({ ...draft, sessionHours })}
      />
    </>
  );
}
