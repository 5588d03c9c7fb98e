import { Field, SecretField } from "./field.tsx";
import { IconSearch } from "./icons/screens.ts";
import type { Stories } from "./story.ts";

const secret = { label: "Password", showLabel: "Show the password", hideLabel: "Hide the password" };

export const stories = {
  Field: {
    empty: () => <Field label="Amount" placeholder="0.00" />,
    "filled, with a hint and a unit": () => (
      <Field
        label="Amount"
        defaultValue="100.00"
        hint="From 5.00 to 5,000.00"
        after={<span className="unit">USD</span>}
      />
    ),
    wrong: () => <Field label="Amount" defaultValue="1.00" wrong="At least 5.00" />,
    "with an icon before": () => <Field label="Search" type="search" before={<IconSearch size="small" />} />,
    disabled: () => <Field label="Account" defaultValue="demo@fairtick.example" disabled />,
  },
  SecretField: {
    hidden: () => <SecretField {...secret} defaultValue="lantern-orchid" />,
    wrong: () => <SecretField {...secret} defaultValue="lantern" wrong="Wrong password" />,
  },
} satisfies Stories;
