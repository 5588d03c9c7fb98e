import { Button } from "@fairtick/ui";
import { useRef } from "react";
import { useKeys } from "../shared/use-keys.ts";

type Line = readonly [keys: readonly string[], does: string];

const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    "On every screen",
    [
      [["n"], "Open the queue that has waited longest for you"],
      [["g", "o"], "Overview"],
      [["g", "d"], "Deposits"],
      [["g", "w"], "Withdrawals"],
      [["g", "i"], "Identities"],
      [["g", "c"], "Inbox"],
      [["g", "m"], "Members"],
      [["?"], "All keys"],
    ],
  ],
  [
    "In a queue",
    [
      [["j"], "Next case"],
      [["k"], "Previous case"],
      [["v"], "Views; then the arrow keys choose one"],
      [["Enter"], "Move into the chosen case"],
    ],
  ],
  [
    "In a case",
    [
      [["t"], "Take it for 10 minutes, or start its 10 minutes again"],
      [["a"], "Approve, credit or settle"],
      [["r"], "Reject"],
      [["Esc"], "Back to the queue"],
    ],
  ],
];

/** The sheet that lists all keys. `?` opens it, Escape closes it. */
export function KeySheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => dialog.current?.showModal();
  useKeys({ "?": open });
  return (
    <>
      <button type="button" className="link" onClick={open}>
        <kbd>?</kbd> all keys
      </button>
      <dialog ref={dialog} className="key-sheet" aria-label="Keyboard">
        <h2 className="heading">Keyboard</h2>
        <div className="key-groups">
          {GROUPS.map(([title, lines]) => (
            <section key={title} aria-label={title}>
              <h3 className="label">{title}</h3>
              <dl>
                {lines.map(([keys, does]) => (
                  <div key={does}>
                    <dt>
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p className="note soft">Keys don’t work while you type in a field. Approving still asks for a reason.</p>
        <Button lowkey onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </dialog>
    </>
  );
}
