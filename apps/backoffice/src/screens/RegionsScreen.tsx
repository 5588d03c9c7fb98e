import {
  type RegionEntry,
  regionTermsApprove,
  regionTermsList,
  regionTermsPropose,
  regionTermsProposeAgain,
  regionTermsReject,
} from "@fairtick/protocol/operator";
import { Field, IconSearch, Segments, Tick } from "@fairtick/ui";
import { plainWords } from "@fairtick/ui/search-words.ts";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Ledger } from "../shared/Case.tsx";
import { instantOf } from "../shared/format.ts";
import { Propose } from "../shared/ProposalDesk.tsx";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { VersionDesk } from "../shared/VersionDesk.tsx";
import { WORDS } from "../shared/words.ts";

const NAMES = new Intl.DisplayNames("en", { type: "region" });
const nameOf = (iso2: string) => NAMES.of(iso2) ?? iso2;

const REGIONS: readonly Column<RegionEntry>[] = [
  { id: "name", head: "Region", cell: ({ iso2 }) => `${nameOf(iso2)} ${iso2}` },
  { id: "policy", head: "Wallets", cell: (row) => WORDS.policies[row.policy], width: 104 },
  { id: "deposits", head: "Deposits", cell: depositsOf, width: 76 },
  { id: "products", head: "Products", cell: productsOf, width: 176 },
  { id: "age", head: "Age", cell: (row) => row.legalAge, look: "amount", width: 56 },
  // As text: a number would be formatted as a count, and 2,010 isn't a year.
  { id: "rule", head: "Rule", cell: (row) => row.rule?.year.toString() ?? "–", look: "soft", width: 64 },
];

/** What is offered in each region: wallets, deposits, products and legal age. */
export function RegionsScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const [typed, setTyped] = useState("");
  const list = useRead(regionTermsList, {});
  const approve = useAct(regionTermsApprove);
  const reject = useAct(regionTermsReject);
  const again = useAct(regionTermsProposeAgain);
  const reading = { failure: list.error, retry: () => void list.refetch() };
  const region = list.data?.regions.find(({ iso2 }) => iso2 === chosen);
  const wanted = plainWords(typed);
  const rows = list.data?.regions.filter(
    ({ iso2 }) => iso2.toLowerCase() === wanted || plainWords(nameOf(iso2)).includes(wanted),
  );
  return (
    <VersionDesk
      name="regions"
      chosen={chosen}
      reading={reading}
      versions={list.data?.versions}
      proposals={list.data?.proposals}
      soonest="Takes effect 10 seconds after approval."
      note="It applies to existing and new members. Open orders still settle, and withdrawals stay open."
      needs="region/approve"
      approve={(proposalId, reason) => approve.mutateAsync({ proposalId, reason })}
      reject={(proposalId, reason) => reject.mutateAsync({ proposalId, reason })}
      proposeAgain={(proposalId, reason) => again.mutateAsync({ proposalId, reason })}
      side={region && <RegionCase key={region.iso2} region={region} mayPropose={may("region/propose")} />}
      terms={
        <>
          <div className="part">
            <label className="find box">
              <IconSearch size="tiny" />
              <input
                type="search"
                aria-label="Region or code"
                placeholder="Region or code"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
          </div>
          <Queue<RegionEntry>
            caption="Regions"
            columns={REGIONS}
            reading={{ ...reading, rows }}
            idOf={({ iso2 }) => iso2}
            chosen={chosen}
            onChoose={(id) => choose("regions", id)}
            empty="No regions found."
          />
        </>
      }
    />
  );
}

function depositsOf({ policy, deposits }: RegionEntry): string {
  return policy === "full" && deposits ? "Open" : "Closed";
}

function productsOf({ policy, products }: RegionEntry): string {
  return policy === "blocked" ? "–" : products.map((kind) => WORDS.products[kind]).join(", ");
}

function RegionCase({ region, mayPropose }: { readonly region: RegionEntry; readonly mayPropose: boolean }) {
  const { iso2, policy, rule, legalAge } = region;
  return (
    <>
      <CaseHead title={iso2} state={WORDS.policies[policy]} />
      <p className="case-title">{nameOf(iso2)}</p>
      <Ledger
        figures={[
          ["Deposits", depositsOf(region)],
          ["Withdrawals", "Always open"],
          ["Products", productsOf(region)],
          ["Age", legalAge],
        ]}
      />
      {rule && (
        <p className="label wrap">
          {rule.name}, {rule.year}
        </p>
      )}
      {mayPropose && <ProposeRegion region={region} />}
    </>
  );
}

/** Proposes what a region is offered, from a date or as soon as approved. */
function ProposeRegion({ region }: { readonly region: RegionEntry }) {
  const propose = useAct(regionTermsPropose);
  const [draft, setDraft] = useState(() => draftOf(region));
  const [from, setFrom] = useState("");
  return (
    <div className="form">
      <RegionForm draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      <Field
        label="Effective from, UTC"
        hint="Leave empty for 10 seconds after approval. It must be later than every scheduled version."
        type="datetime-local"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <Propose
        screen="regions"
        label="Propose change"
        note="Another admin has to approve it. Withdrawals can’t be switched off: members can always take their money out."
        act={(reason) => {
          const effectiveAt = instantOf(from);
          return propose.mutateAsync({
            regions: [changeOf(region.iso2, draft)],
            ...(effectiveAt !== undefined && { effectiveAt }),
            reason,
          });
        }}
      />
    </div>
  );
}

type RegionDraft = Pick<RegionEntry, "policy" | "deposits" | "products"> & {
  readonly age: string;
  readonly rule: string;
  readonly year: string;
};

function draftOf({ policy, deposits, products, legalAge, rule }: RegionEntry): RegionDraft {
  return {
    policy,
    deposits,
    products,
    age: String(legalAge),
    rule: rule?.name ?? "",
    year: rule === null ? "" : String(rule.year),
  };
}

function changeOf(iso2: string, { policy, deposits, products, age, rule, year }: RegionDraft) {
  return {
    iso2,
    policy,
    deposits,
    products,
    legalAge: Number(age),
    rule: policy === "full" ? null : { name: rule.trim(), year: Number(year) },
  };
}

function RegionForm({
  draft: { policy, deposits, products, age, rule, year },
  onChange,
}: {
  readonly draft: RegionDraft;
  readonly onChange: (change: Partial<RegionDraft>) => void;
}) {
  const offers = (kind: "fx" | "crypto") => (on: boolean) =>
    onChange({ products: on ? [...products, kind] : products.filter((each) => each !== kind) });
  return (
    <>
      <Segments
        label="Wallets"
        look="slim"
        choices={(["full", "practice", "blocked"] as const).map((value) => ({ value, label: WORDS.policies[value] }))}
        value={policy}
        onChange={(chosen) => onChange({ policy: chosen })}
      />
      <div className="form-pair">
        <Tick on={products.includes("fx")} onChange={offers("fx")}>
          {WORDS.products.fx}
        </Tick>
        <Tick on={products.includes("crypto")} onChange={offers("crypto")}>
          {WORDS.products.crypto}
        </Tick>
      </div>
      <Tick on={deposits} onChange={(on) => onChange({ deposits: on })}>
        Accept new deposits
      </Tick>
      {policy !== "full" && (
        <Field
          label="Legal rule, as the regulator names it"
          autoComplete="off"
          value={rule}
          onChange={(event) => onChange({ rule: event.currentTarget.value })}
        />
      )}
      <div className="form-pair">
        {policy !== "full" && (
          <Field
            label="Year of the rule"
            inputMode="numeric"
            autoComplete="off"
            value={year}
            onChange={(event) => onChange({ year: event.currentTarget.value })}
          />
        )}
        <Field
          label="Legal age"
          inputMode="numeric"
          autoComplete="off"
          value={age}
          onChange={(event) => onChange({ age: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
