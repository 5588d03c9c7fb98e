import { memberLedger, memberOrders } from "@fairtick/protocol/operator";
import { Segments } from "@fairtick/ui";
import { useState } from "react";
import { useProductName } from "../data/product-names.ts";
import { useRead } from "../data/queries.ts";
import { money, shortInstant, signed } from "../shared/format.ts";
import { Pages } from "../shared/Pages.tsx";
import { Queue } from "../shared/Queue.tsx";
import { WORDS } from "../shared/words.ts";

type Wallet = "practice" | "real";
const PAGE = "50";

/** A wallet's fund records, newest first. */
export function MemberLedger({ memberId, wallet }: { readonly memberId: string; readonly wallet: Wallet }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = useRead(memberLedger, { memberId, wallet, ...(cursor && { cursor }), limit: PAGE });
  return (
    <>
      <Queue
        caption="Fund records"
        keyboard={false}
        columns={[
          { id: "time", head: "UTC", cell: (row) => shortInstant(row.time), look: "soft", width: 112 },
          {
            id: "remark",
            head: "What",
            cell: ({ remark, note }) => `${WORDS.remarks[remark] ?? remark}${note === undefined ? "" : `: ${note}`}`,
          },
          { id: "amount", head: "USD", cell: (row) => signed(row.amount), look: "amount", width: 92 },
          {
            id: "after",
            head: "After",
            cell: (row) => row.balanceAfter && money(row.balanceAfter),
            look: "amount",
            width: 92,
          },
        ]}
        reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
        idOf={({ recordNo }) => recordNo}
        chosen={null}
        empty="No records yet."
      />
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} onMove={setCursors} />
    </>
  );
}

/** A member's running or settled orders, newest first. */
export function MemberOrders({ memberId, wallet }: { readonly memberId: string; readonly wallet: Wallet }) {
  const [state, setState] = useState<"running" | "settled">("running");
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const nameOf = useProductName();
  const list = useRead(memberOrders, { memberId, wallet, state, ...(cursor && { cursor }), limit: PAGE });
  return (
    <>
      <Segments
        label="Orders"
        look="slim"
        choices={[
          { value: "running", label: "Open" },
          { value: "settled", label: "Settled" },
        ]}
        value={state}
        onChange={(value) => {
          setState(value);
          setCursors([]);
        }}
      />
      <Queue
        caption="Orders"
        keyboard={false}
        columns={[
          { id: "time", head: "UTC", cell: (row) => shortInstant(row.acceptedAt), look: "soft", width: 112 },
          { id: "symbol", head: "Product", cell: (row) => `${nameOf(row.symbol)} ${row.direction} ${row.duration} s` },
          { id: "stake", head: "Stake", cell: (row) => money(row.stake), look: "amount", width: 76 },
          { id: "outcome", head: "Outcome", cell: (row) => row.outcome ?? row.state, width: 72 },
          {
            id: "profit",
            head: "Profit",
            cell: (row) => (row.profit === null ? "–" : signed(row.profit)),
            look: "amount",
            width: 84,
          },
        ]}
        reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
        idOf={({ orderNo }) => orderNo}
        chosen={null}
        empty={state === "running" ? "No open orders." : "No settled orders yet."}
      />
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} onMove={setCursors} />
    </>
  );
}
