import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type EarlyCall, sendOrTake } from "./early-answer.ts";

const PATH = "/client/market/instruments";
const EARLY = { path: "market/instruments", lang: "en_US", token: "token" } as const;
const headers = { Lang: "en_US", exchange2508Token: "token" };
const sent = vi.fn<(input: string) => Promise<Response>>();

function hold(early: Partial<EarlyCall> = {}): void {
  globalThis.fairtickEarly = { ...EARLY, answer: Promise.resolve(new Response("early")), ...early };
}

beforeEach(() => {
  sent.mockReset().mockImplementation(() => Promise.resolve(new Response("sent")));
  vi.stubGlobal("fetch", sent);
});
afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.fairtickEarly = undefined;
});

it("takes the answer to a call that the page made already, once", async () => {
  hold();
  expect(await (await sendOrTake(PATH, { headers })).text()).toBe("early");
  expect(sent).not.toHaveBeenCalled();
  expect(await (await sendOrTake(PATH, { headers })).text()).toBe("sent");
});

it.each([
  ["another language", { Lang: "de_DE", exchange2508Token: "token" }],
  ["another member", { Lang: "en_US", exchange2508Token: "another" }],
  ["a visitor", { Lang: "en_US" }],
])("sends the call itself for %s", async (_who, others) => {
  hold();
  expect(await (await sendOrTake(PATH, { headers: others })).text()).toBe("sent");
  expect(globalThis.fairtickEarly).toBeUndefined();
});

it("sends every other call, and leaves the answer to its own", async () => {
  hold();
  expect(await (await sendOrTake("/client/user/info", { headers })).text()).toBe("sent");
  expect(await (await sendOrTake(PATH, { headers })).text()).toBe("early");
});

it("gives up with its signal if the early answer doesn't come", async () => {
  hold({ answer: new Promise(() => undefined) });
  const abort = new AbortController();
  const answer = sendOrTake(PATH, { headers, signal: abort.signal });
  abort.abort(new Error("too late"));
  await expect(answer).rejects.toThrow("too late");
});

it("fails like the request that the page made", async () => {
  hold({ answer: Promise.reject(new Error("no network")) });
  await expect(sendOrTake(PATH, { headers })).rejects.toThrow("no network");
});
