import { overviewRead } from "@fairtick/protocol/operator";
import { useRef } from "react";
import { KeySheet } from "./KeySheet.tsx";
import { callOperator } from "../data/call.ts";
import { linkOf, longestWaiting } from "../screens/overview/overview.ts";
import { useKeys } from "../shared/use-keys.ts";
import { WORDS } from "../shared/words.ts";

/** How long after `g` the letter of a screen may follow. */
const FOLLOWS_MS = 1_500;
/** Screens by the letter that follows `g`. */
const PLACES = { o: "overview", d: "deposits", w: "withdrawals", i: "identities", c: "inbox", m: "members" } as const;

/** Binds the keys that work on every screen, and lists the most used ones at the foot. */
export function Keys({ open }: { readonly open: readonly string[] }) {
  const beganAt = useRef(Number.NEGATIVE_INFINITY);
  const goTo = (screen: string) => () => {
    if (performance.now() - beganAt.current > FOLLOWS_MS || !open.includes(screen)) return;
    beganAt.current = Number.NEGATIVE_INFINITY;
    location.hash = `#/${screen}`;
  };
  useKeys({
    g: () => {
      beganAt.current = performance.now();
    },
    n: () => void openNext(),
    v: focusViews,
    ...Object.fromEntries(Object.entries(PLACES).map(([letter, screen]) => [letter, goTo(screen)])),
  });
  return (
    <footer className="keys">
      <Hint keys={["j", "k"]}>next, previous</Hint>
      <Hint keys={["Enter", "Esc"]}>case, back</Hint>
      <Hint keys={["t"]}>take</Hint>
      <Hint keys={["a", "r"]}>approve, reject</Hint>
      <Hint keys={["n"]}>next for me</Hint>
      <Hint keys={["v"]}>views</Hint>
      {open.includes("deposits") && <Hint keys={["g", "d"]}>deposits</Hint>}
      {open.includes("withdrawals") && <Hint keys={["g", "w"]}>withdrawals</Hint>}
      <KeySheet />
      <span className="promise">{WORDS.promise}</span>
    </footer>
  );
}

function Hint({ keys, children }: { readonly keys: readonly string[]; readonly children: string }) {
  return (
    <span>
      {keys.map((each) => (
        <kbd key={each}>{each}</kbd>
      ))}{" "}
      {children}
    </span>
  );
}

/** Opens the queue whose oldest case has waited longest. */
async function openNext(): Promise<void> {
  const overview = await callOperator(overviewRead, {}).catch(() => null);
  const queue = overview && longestWaiting(overview);
  if (queue) location.hash = linkOf(queue);
}

/** Moves the focus to the views of the queue; the arrow keys choose among them. */
function focusViews(): void {
  document.querySelector<HTMLElement>(".part-tabs [role=tab][aria-selected=true]")?.focus();
}
