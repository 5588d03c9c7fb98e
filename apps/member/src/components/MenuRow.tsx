import { IconChevronRight } from "@fairtick/ui";
import type { ReactNode } from "react";
import { Link, type Path } from "../shared/navigation.tsx";

/** A line of a menu: where it leads, and how that stands. */
export function MenuRow({
  to,
  icon,
  words,
  state,
}: {
  readonly to: Path;
  readonly icon: ReactNode;
  readonly words: string;
  readonly state?: string | undefined;
}) {
  return (
    <Link className="row low indent" to={to}>
      {icon}
      <span className="grow name-and-state">
        <span>{words}</span>
        {state !== undefined && <span className="label">{state}</span>}
      </span>
      <IconChevronRight size="tiny" className="soft" />
    </Link>
  );
}
