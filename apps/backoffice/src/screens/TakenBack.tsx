import { Notice } from "@fairtick/ui";
import { money } from "../shared/format.ts";

/** Shows how much of a member's deposits was reversed and what they owe, if anything. */
export function TakenBack({ reversed, owed }: { readonly reversed: string; readonly owed: string }) {
  if (reversed === "0.00" && owed === "0.00") return null;
  return (
    <Notice wrong>
      {money(reversed)} USD of this member’s deposits was reversed. They still owe {money(owed)} USD.
    </Notice>
  );
}
