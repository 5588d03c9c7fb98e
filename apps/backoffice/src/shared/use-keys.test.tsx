// @vitest-environment jsdom
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { useKeys } from "./use-keys.ts";

const acted: string[] = [];

function Case({ shown }: { readonly shown: string }) {
  useKeys({ a: () => acted.push(shown) });
  return <p>{shown}</p>;
}

it("acts on what is shown from the moment it is shown", async () => {
  const host = document.createElement("div");
  const root = createRoot(host);
  for (const shown of ["first case", "next case"]) {
    const changed = new Promise<void>((resolve) => {
      const seen = new MutationObserver(() => {
        seen.disconnect();
        // Runs after the commit and before React's next task, as a key does that is pressed at once.
        dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
        resolve();
      });
      seen.observe(host, { childList: true, subtree: true, characterData: true });
    });
    root.render(<Case shown={shown} />);
    await changed;
  }
  root.unmount();
  expect(acted).toEqual(["first case", "next case"]);
});
