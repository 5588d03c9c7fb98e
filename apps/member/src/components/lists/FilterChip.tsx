import { IconChevronDown } from "@fairtick/ui";
import "./lists.css";

/** A filter as a small native select. */
export function FilterChip<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <span className="wallet filter-chip">
      <span aria-hidden="true">
        {choices.find((choice) => choice.value === value)?.label}
        <IconChevronDown size="tiny" className="soft" />
      </span>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </span>
  );
}
