import { Notice } from "@fairtick/ui";
import { money } from "../shared/format.ts";

/** What was reversed of a member's deposits and what they owe of it, where there is any. */
export function TakenBack({ reversed, owed }: { readonly reversed: string; readonly owed: string }) {
  if (reversed === "0.00" && owed === "0.00") return null;
  return (
    <Notice wrong>
      {money(reversed)} USD of this member’s deposits were reversed. They owe {money(owed)} USD of it.
    </Notice>
  );
}
