import { TabPanel, Words } from "@fairtick/ui";
import type { ReactNode } from "react";

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
