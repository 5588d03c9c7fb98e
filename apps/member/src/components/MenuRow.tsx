import { IconChevronRight } from "@fairtick/ui";
import type { ReactNode } from "react";
import { Link, type Path, type Search } from "../shared/navigation.tsx";

/** A menu item with its link and the state of what it leads to. */
export function MenuRow({
  to,
  search,
  icon,
  words,
  state,
}: {
  readonly to: Path;
  readonly search?: Search;
  readonly icon: ReactNode;
  readonly words: string;
  readonly state?: string | undefined;
}) {
  return (
    <Link className="row low indent" to={to} search={search}>
      {icon}
      <span className="grow name-and-state">
        <span>{words}</span>
        {state !== undefined && <span className="label">{state}</span>}
      </span>
      <IconChevronRight size="tiny" className="soft" />
    </Link>
  );
}
