// @vitest-environment jsdom
import { nodeHashes } from "@fairtick/domain/node";
import { formatPolicy, type VerifierPolicy } from "@fairtick/transparency";
import { makeWorld, POLICY, type World } from "@fairtick/transparency/testing";
import { SheetFrame } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Verification } from "../../data/proof/verification.ts";
import type { Verdict } from "../../data/proof/verify-order.ts";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { ORDER } from "../story-data.tsx";
import type { ProofCard } from "./draw-proof-card.ts";
import { VerifyMore } from "./VerifyMore.tsx";

const VERIFIED = "Verified against the public log";
/** The cards that were drawn. */
const drawn: ProofCard[] = [];
vi.mock("./draw-proof-card.ts", () => ({
  drawProofCard: (card: ProofCard) => {
    drawn.push(card);
    return Promise.resolve(new Blob(["picture"]));
  },
}));

let world: World;
let receipt: string;

beforeAll(async () => {
  const cosignedAt = BigInt(Math.floor(Date.now() / 1000));
  world = await makeWorld(nodeHashes, [{ at: 30_130n }], { cosignedAt });
  receipt = JSON.stringify(await world.receipt(0));
});
beforeEach(async () => {
  drawn.length = 0;
  queryClient.setDefaultOptions({ queries: { retryDelay: 1 } });
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
  await activateAllWords("en");
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** Serves the log to an app that pins these keys. `isAway`: the log doesn't answer. */
function serveLog(policy: VerifierPolicy = POLICY, isAway = false): void {
  vi.stubEnv("VITE_FAIRTICK_KEYS", formatPolicy(policy).join(";"));
  vi.stubGlobal("fetch", async (url: string) => {
    const path = /[/]log[/](.*)/.exec(url)?.[1];
    if (path === undefined || isAway) throw new TypeError("Failed to fetch");
    const bytes = await world.read(path);
    return bytes === null ? new Response(null, { status: 404 }) : new Response(Buffer.from(bytes));
  });
}

/** Opens the sheet of an order whose verification on this device ended so; returns the card that is drawn last. */
async function share(state: Verdict["state"]): Promise<ProofCard | undefined> {
  const verdict = { state, checks: [], logSize: 0, logRoot: null, witnesses: [], seen: null };
  const found = { verdict, keys: { since: null, changed: false }, file: receipt };
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <SheetFrame value={document.body}>
          <VerifyMore order={ORDER} query={{ data: found } as unknown as UseQueryResult<Verification>} />
        </SheetFrame>
      </QueryClientProvider>
    </I18nProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Share proof" }));
  await screen.findByRole("img", { name: "Picture of the proof" });
  return drawn.at(-1);
}

describe("the picture of a proof", () => {
  it("says that the order was verified if this device and the public page find that all of it holds", async () => {
    serveLog();
    const card = await share("ok");
    expect([card?.verified, drawn.length]).toEqual([VERIFIED, 1]);
  });

  it.each(["unchecked", "pending"] as const)(
    "only invites to check an order that is %s on this device",
    async (state) => {
      serveLog();
      const card = await share(state);
      expect([card?.verified, card?.scan]).toEqual([null, "Scan to check it yourself"]);
    },
  );

  it("only invites to check if the public log can't be reached", async () => {
    serveLog(POLICY, true);
    expect((await share("ok"))?.verified).toBeNull();
  });

  it("only invites to check if no witness is pinned, as the public page does then", async () => {
    serveLog({ ...POLICY, witnessKeys: [], witnessesNeeded: 0 });
    expect((await share("ok"))?.verified).toBeNull();
  });
});
