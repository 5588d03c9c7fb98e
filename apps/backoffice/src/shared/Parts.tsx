import { TabPanel, Words } from "@fairtick/ui";
import type { ReactNode } from "react";
import { count } from "./format.ts";

/** Tabs over a queue. */
export function Parts<Part extends string>({
  id,
  label,
  parts,
  shown,
  onShow,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly parts: readonly { readonly value: Part; readonly label: string }[];
  readonly shown: Part;
  readonly onShow: (part: Part) => void;
  readonly children: ReactNode;
}) {
  return (
    <>
      <div className="part-tabs">
        <Words label={label} panel={id} choices={parts} value={shown} onChange={onShow} />
      </div>
      <TabPanel id={id} chosen={shown}>
        {children}
      </TabPanel>
    </>
  );
}

/** Tabs of proposals: those that wait for a second person, and those decided. */
export const PROPOSAL_PARTS = [
  { value: "waiting", label: "Waiting" },
  { value: "done", label: "Decided" },
] as const;

/** Returns the tabs with the number of waiting proposals on the tab `proposals`. */
export function countProposals<Value extends string>(
  parts: readonly { readonly value: Value; readonly label: string }[],
  proposals: readonly { readonly state: string }[] | undefined,
): readonly { readonly value: Value; readonly label: string }[] {
  const waiting = proposals?.filter(({ state }) => state === "waiting").length ?? 0;
  if (waiting === 0) return parts;
  return parts.map(({ value, label }) => ({
    value,
    label: value === "proposals" ? `${label} (${count(waiting)})` : label,
  }));
}
