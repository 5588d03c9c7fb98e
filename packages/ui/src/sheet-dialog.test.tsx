// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SheetDialog } from "./sheet-dialog.tsx";

/** A screen with a sheet that offers several ways to navigate. */
function Screen() {
  const [open, setOpen] = useState(false);
  const choose = (go: () => void) => () => {
    go();
    setOpen(false);
  };
  /** Closes the sheet like a screen whose address says which sheet is open. */
  const close = () => {
    setOpen(false);
    history.replaceState(history.state, "", "#/here");
  };
  useEffect(() => {
    const leave = () => {
      if (location.hash === "#/linked") setOpen(false);
    };
    addEventListener("popstate", leave);
    return () => removeEventListener("popstate", leave);
  }, []);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <SheetDialog open={open} onClose={close} title="A sheet" closeLabel="Close" frame={document.body}>
        <button type="button" onClick={choose(() => history.pushState({ depth: 2 }, "", "#/further"))}>
          further
        </button>
        <button type="button" onClick={choose(() => history.replaceState({ depth: 1 }, "", "#/instead"))}>
          instead
        </button>
        <a href="#/linked">linked</a>
      </SheetDialog>
    </>
  );
}

/**
 * The address seen by an app that has listened from its start, so before any sheet, which is how Chromium orders a
 * window's listeners.
 */
let known = "";
addEventListener("popstate", () => (known = location.hash), { capture: true });

const sheet = () => screen.queryByRole("dialog");

async function openSheet(): Promise<void> {
  fireEvent.click(screen.getByText("open"));
  await waitFor(() => expect(sheet()).not.toBeNull());
}

async function goBackTo(hash: string): Promise<void> {
  history.back();
  await waitFor(() => expect(location.hash).toBe(hash));
}

beforeEach(() => {
  history.pushState({ depth: 0 }, "", "#/before");
  history.pushState({ depth: 1 }, "", "#/here");
  render(<Screen />);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("is closed by going back, while the screen under it stays", async () => {
  await openSheet();
  expect(history.state).toMatchObject({ depth: 1 });
  history.back();
  await waitFor(() => expect(sheet()).toBeNull());
  expect(location.hash).toBe("#/here");
  expect(history.state).toEqual({ depth: 1 });
  await goBackTo("#/before");
});

it("stays, however often one goes back, if only its own button closes it", async () => {
  cleanup();
  const asked = vi.fn<() => void>();
  render(
    <SheetDialog open stays onClose={asked} title="Codes" closeLabel="Close" frame={document.body}>
      words
    </SheetDialog>,
  );
  for (const times of [1, 2]) {
    await waitFor(() => expect(history.state).toMatchObject({ sheet: expect.any(Number) as number }));
    history.back();
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(times));
  }
  await waitFor(() => expect(history.state).toMatchObject({ sheet: expect.any(Number) as number }));
  expect(sheet()).not.toBeNull();
  expect(location.hash).toBe("#/here");
  cleanup();
  await waitFor(() => expect(history.state).toEqual({ depth: 1 }));
});

it("leaves nothing in the history when closed by its cross, however often it is opened", async () => {
  for (const _ of [1, 2]) {
    await openSheet();
    fireEvent.click(screen.getByLabelText("Close"));
    await waitFor(() => expect(history.state).toEqual({ depth: 1 }));
    expect(sheet()).toBeNull();
  }
  await goBackTo("#/before");
});

it("is skipped on going back if the user navigated on from it", async () => {
  await openSheet();
  const moved = vi.fn<() => void>();
  addEventListener("popstate", moved, { once: true });
  fireEvent.click(screen.getByText("further"));
  await waitFor(() => expect(sheet()).toBeNull());
  // The new place takes the sheet's history entry.
  await waitFor(() => expect(moved).toHaveBeenCalled());
  expect([location.hash, known, history.state]).toEqual(["#/further", "#/further", { depth: 2 }]);
  await goBackTo("#/here");
  expect(history.state).toEqual({ depth: 1 });
});

it("is left by a link in it for the link's target", async () => {
  await openSheet();
  fireEvent.click(screen.getByText("linked"));
  await waitFor(() => expect(sheet()).toBeNull());
  await new Promise((wake) => {
    setTimeout(wake, 100);
  });
  expect(location.hash).toBe("#/linked");
  await goBackTo("#/here");
});

it("replaces the current place if its choice does so", async () => {
  await openSheet();
  const moved = vi.fn<() => void>();
  addEventListener("popstate", moved, { once: true });
  fireEvent.click(screen.getByText("instead"));
  await waitFor(() => expect(moved).toHaveBeenCalled());
  expect([location.hash, known, history.state]).toEqual(["#/instead", "#/instead", { depth: 1 }]);
  await goBackTo("#/before");
});

it("is closed by going back in a browser with close watchers too", async () => {
  vi.stubGlobal("CloseWatcher", class extends EventTarget {});
  await openSheet();
  history.back();
  await waitFor(() => expect(sheet()).toBeNull());
  expect(location.hash).toBe("#/here");
});

it("gives the focus back to what had it, also to what no Tab stops at", async () => {
  const place = document.createElement("main");
  place.tabIndex = -1;
  place.append(document.createElement("button"));
  document.body.append(place);
  place.focus();
  await openSheet();
  await waitFor(() => expect(sheet()?.contains(document.activeElement)).toBe(true));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
  await waitFor(() => expect(sheet()).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(place));
  place.remove();
});
