import { IconChevronRight } from "@fairtick/ui";
import { Link, type Destination } from "../shared/navigation.tsx";

/** A field whose value is chosen on its own screen, such as a country or a card. */
export function LinkField({
  label,
  value,
  none,
  wrong,
  to,
  search,
}: Pick<Destination, "to" | "search"> & {
  readonly label: string;
  /** Null until chosen; then `none` says what to do. */
  readonly value: string | null;
  readonly none: string;
  readonly wrong: string | undefined;
}) {
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <Link className={wrong === undefined ? "box" : "box wrong"} to={to} search={search}>
        <span className={value === null ? "grow soft" : "grow"}>
          <span className="unseen">{label}: </span>
          {value ?? none}
        </span>
        <IconChevronRight size="tiny" className="soft" />
      </Link>
      {wrong !== undefined && <p className="hint alert">{wrong}</p>}
    </div>
  );
}
