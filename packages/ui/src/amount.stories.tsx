import { useState } from "react";
import { AmountField, AmountInput } from "./amount.tsx";
import { ENGLISH } from "./story-writing.ts";
import type { Stories } from "./story.ts";

function Amount({ first, wrong, most }: { readonly first: string; readonly wrong?: string; readonly most?: string }) {
  const [value, setValue] = useState(first);
  return (
    <AmountField
      label="Amount"
      unit="USD"
      writing={ENGLISH}
      value={value}
      onInput={setValue}
      hint="10.00 to 50,000.00"
      wrong={wrong}
      most={most === undefined ? undefined : { label: "Max", value: most }}
    />
  );
}

function Alone() {
  const [value, setValue] = useState("12345.6");
  return <AmountInput aria-label="Amount" writing={ENGLISH} value={value} onInput={setValue} />;
}

export const stories = {
  AmountInput: { usual: () => <Alone /> },
  AmountField: {
    empty: () => <Amount first="" />,
    "with a most": () => <Amount first="1250.5" most="9840.50" />,
    wrong: () => <Amount first="0.5" wrong="At least 10.00" />,
  },
} satisfies Stories;
