import { Field, IconSearch, Sheet } from "@fairtick/ui";
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { useText } from "../../shared/i18n.ts";
import { Link, navigate, type Destination } from "../../shared/navigation.tsx";
import { useGoals } from "./goals.ts";

const GOALS_SHOWN_MAX = 12;

/** Opens a product, page or order by a few letters of its name: type, move with the arrow keys, press Enter. */
export function JumpTo({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  return (
    <Sheet open={open} onClose={onClose} title={t("desk.jumpTitle")} closeLabel={t("shell.close")} first={field}>
      <Goals field={field} onGone={onClose} />
    </Sheet>
  );
}

function Goals({ field, onGone }: { readonly field: RefObject<HTMLInputElement | null>; readonly onGone: () => void }) {
  const t = useText();
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const goals = useGoals(words).slice(0, GOALS_SHOWN_MAX);
  const chosen = Math.min(at, goals.length - 1);
  const go = (destination: Destination) => {
    onGone();
    navigate(destination);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const goal = goals[chosen];
    if (step !== undefined) setAt(Math.min(Math.max(chosen + step, 0), goals.length - 1));
    else if (event.key === "Enter" && goal) go(goal.destination);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Field
        ref={field}
        label={t("desk.jump")}
        type="search"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input is one only with a list of plain texts
        role="combobox"
        aria-expanded={goals.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={goals.length > 0 ? `${listId}-${chosen}` : undefined}
        before={<IconSearch size="small" />}
        value={words}
        onKeyDown={press}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
      />
      <ul
        className="jump-goals"
        id={listId}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- no tag is a list of links to choose from
        role="listbox"
        aria-label={t("desk.jumpTitle")}
      >
        {goals.map((goal, place) => (
          <li key={goal.key} role="none">
            <Link
              id={`${listId}-${place}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the tag can't be a link
              role="option"
              aria-selected={place === chosen}
              className={place === chosen ? "row low bare at" : "row low bare"}
              to={goal.destination.to}
              search={goal.destination.search}
              onClick={onGone}
            >
              <span className="grow">{goal.name}</span>
              <span className="note soft">{goal.what}</span>
            </Link>
          </li>
        ))}
      </ul>
      {goals.length === 0 && <p className="label jump-none">{t("desk.jumpNone")}</p>}
    </>
  );
}
