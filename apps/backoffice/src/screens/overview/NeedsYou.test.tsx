// @vitest-environment jsdom
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { NeedsYou } from "./NeedsYou.tsx";
import type { Overview } from "./overview.ts";

afterEach(cleanup);

function renderQueues(queues: Overview["queues"]) {
  const overview: Overview = {
    at: 100_000,
    queues,
    alarms: null,
    exposure: null,
    result: null,
    withdrawals: null,
    prices: [],
    log: null,
    ledger: null,
  };
  render(<NeedsYou overview={overview} />);
}
const approvals = (kind: string, open: number) => ({
  queue: "approvals" as const,
  open,
  since: Array.from({ length: open }, () => 1_000),
  kind,
});

it("gives each kind of proposal its own row, count and link", () => {
  renderQueues([approvals("payout_key", 1), approvals("config", 2)]);
  const linkIn = (name: string) => within(screen.getByRole("row", { name })).getByRole("link").getAttribute("href");
  expect(linkIn("Second approvals: Signing keys 1 1 min")).toBe("#/keys");
  expect(linkIn("Second approvals: Configuration 2 1 min")).toBe("#/config?view=proposals");
});
