// @vitest-environment jsdom
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { sendDeskCommand, useDeskCommand } from "./desk-commands.ts";

function Counter({ shown }: { readonly shown: string }) {
  useDeskCommand("duration", (place) => {
    taken.push(`${place} at ${shown}`);
  });
  return <p>{shown}</p>;
}

let taken: string[] = [];

it("takes a command from the moment its component is shown, with what is shown", async () => {
  taken = [];
  const host = document.createElement("div");
  const changes = () =>
    new Promise<void>((resolve) => {
      const seen = new MutationObserver(() => {
        seen.disconnect();
        // Runs after the commit and before React's next task, as a key does that is pressed at once.
        sendDeskCommand("duration", 3);
        resolve();
      });
      seen.observe(host, { childList: true, subtree: true, characterData: true });
    });
  const root = createRoot(host);
  for (const shown of ["first", "second"]) {
    const change = changes();
    root.render(<Counter shown={shown} />);
    await change;
  }
  root.unmount();
  expect(taken).toEqual(["3 at first", "3 at second"]);
});

it("takes no command once it is gone", async () => {
  taken = [];
  const host = document.createElement("div");
  const root = createRoot(host);
  root.render(<Counter shown="here" />);
  await expect.poll(() => host.textContent).toBe("here");
  root.unmount();
  await expect.poll(() => host.textContent).toBe("");
  sendDeskCommand("duration", 1);
  expect(taken).toEqual([]);
});
