// @vitest-environment jsdom
import { SheetFrame } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { UpdatePrompt } from "./UpdatePrompt.tsx";

const worker = vi.hoisted(() => ({
  waits: true,
  taken: 0,
  watchers: new Set<() => void>(),
}));
vi.mock("./service-worker.ts", () => ({
  updateWaits: () => worker.waits,
  watchUpdates: (watcher: () => void) => {
    worker.watchers.add(watcher);
    return () => worker.watchers.delete(watcher);
  },
  takeUpdate: () => {
    worker.taken += 1;
    return new Promise(() => undefined);
  },
}));
vi.mock("../../data/deployment.ts", () => ({ newestVersionCode: () => new Promise(() => undefined) }));

beforeEach(async () => {
  await activateAllWords("en");
  Object.assign(worker, { waits: true, taken: 0 });
  const frame = document.createElement("div");
  document.body.append(frame);
  render(
    <I18nProvider i18n={i18n}>
      <SheetFrame value={frame}>
        <UpdatePrompt />
      </SheetFrame>
    </I18nProvider>,
  );
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

const updateNow = () => screen.findByRole("button", { name: "Update now" });
const activate = () => {
  act(() => {
    worker.waits = false;
    for (const watcher of worker.watchers) watcher();
  });
};

it("stays open from the update's acceptance to the reload, although nothing waits any more once it is active", async () => {
  fireEvent.click(await updateNow());
  expect(worker.taken).toBe(1);
  activate();
  expect(screen.getByRole("button", { name: "Update now" })).toHaveProperty("disabled", true);
});

it("closes if another tab has taken the update", async () => {
  await updateNow();
  activate();
  expect(screen.queryByRole("button", { name: "Update now" })).toBeNull();
});
