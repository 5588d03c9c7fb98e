import {
  configApprove,
  configList,
  configProposeAgain,
  configReject,
  type ConfigVersion,
} from "@fairtick/protocol/operator";
import { Button } from "@fairtick/ui";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { money, percent } from "../shared/format.ts";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { VersionDesk } from "../shared/VersionDesk.tsx";
import { AddInstrument } from "./AddInstrument.tsx";
import { ProposeConfig } from "./ProposeConfig.tsx";

/** Stands for an id in the address and opens the form for a new product. No symbol is lowercase. */
const NEW = "new";

const TERMS: readonly Column<ConfigVersion["instruments"][number]>[] = [
  { id: "symbol", head: "Product", cell: (row) => row.name },
  { id: "state", head: "State", cell: (row) => (row.suspended ? "Suspended" : "Open"), width: 84 },
  { id: "fee", head: "Fee", cell: (row) => percent(row.feeRate), look: "amount", width: 56 },
  {
    id: "stake",
    head: "Stake USD",
    cell: (row) => `${money(row.minStake)} – ${money(row.maxStake)}`,
    look: "amount",
    width: 132,
  },
  { id: "rates", head: "Payout rates", cell: (row) => ratesOf(row), width: 168 },
];

/** Products with their payout rates, durations, limits and fees: in force, proposed and past. */
export function ConfigScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const list = useRead(configList, {});
  const approve = useAct(configApprove);
  const reject = useAct(configReject);
  const again = useAct(configProposeAgain);
  const versions = list.data?.versions;
  const current = versions?.find(({ state }) => state === "current");
  const [newest] = versions ?? [];
  const terms = newest?.instruments.find(({ symbol }) => symbol === chosen);
  const reading = { failure: list.error, retry: () => void list.refetch() };
  return (
    <VersionDesk
      name="config"
      chosen={chosen}
      reading={reading}
      versions={versions}
      proposals={list.data?.proposals}
      soonest="Takes effect 10 seconds after approval."
      note="Accepted orders keep the terms they were accepted under."
      needs="config/approve"
      approve={(proposalId, reason) => approve.mutateAsync({ proposalId, reason })}
      reject={(proposalId, reason) => reject.mutateAsync({ proposalId, reason })}
      tools={
        may("config/propose") && (
          <Button lowkey look="tint" onClick={() => choose("config", NEW)}>
            Add a product
          </Button>
        )
      }
      proposeAgain={(proposalId, reason) => again.mutateAsync({ proposalId, reason })}
      side={
        newest &&
        (chosen === NEW && list.data
          ? may("config/propose") && <AddInstrument newest={newest} offered={list.data.offered} />
          : terms && <ProposeConfig key={terms.symbol} terms={terms} newest={newest} may={may("config/propose")} />)
      }
      terms={
        <Queue
          caption="Terms in force"
          columns={TERMS}
          reading={{ ...reading, rows: current?.instruments }}
          idOf={({ symbol }) => symbol}
          chosen={chosen}
          onChoose={(id) => choose("config", id)}
          empty="No products yet."
        />
      }
    />
  );
}

function ratesOf({ durations }: ConfigVersion["instruments"][number]): string {
  const rates = durations.map(({ payoutRate }) => payoutRate).sort();
  const [low, high] = [rates.at(0), rates.at(-1)];
  if (low === undefined || high === undefined) return "–";
  const span = low === high ? percent(low) : `${percent(low)} – ${percent(high)}`;
  return `${span}, ${durations.length}×`;
}
