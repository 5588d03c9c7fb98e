// @vitest-environment jsdom
import type { Order } from "@fairtick/protocol";
import { beforeEach, expect, it, vi } from "vitest";
import { takeMessage } from "./live.ts";
import { changeSettings } from "./settings.ts";

const vibrate = vi.fn<(pattern: readonly number[]) => boolean>();
const start = vi.fn<() => void>();

/** A fake phone that can play sounds and vibrate. */
class Phone {
  readonly currentTime = 0;
  readonly destination = {};
  resume = () => Promise.resolve();
  createOscillator = () => ({
    frequency: { value: 0 },
    connect: () => this.createGain(),
    start,
    stop: () => undefined,
  });
  createGain = () => ({
    gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
    connect: () => undefined,
  });
}

const tell = (state: Order["state"], orderNo: string, outcome: Order["outcome"] = "lost") =>
  takeMessage({ t: "order", d: { orderNo, wallet: "practice", state, outcome } as Order } as never);

beforeEach(() => {
  localStorage.clear();
  vibrate.mockReset();
  start.mockReset();
  vi.stubGlobal("AudioContext", Phone);
  Object.defineProperty(navigator, "vibrate", { value: vibrate, configurable: true });
});

it("plays a sound and vibrates for a settled order if both are on", async () => {
  changeSettings({ sounds: true, haptics: true });
  tell("open", "ord_1");
  expect(vibrate).not.toHaveBeenCalled();
  tell("settled", "ord_1");
  await vi.waitFor(() => {
    expect(start).toHaveBeenCalledTimes(1);
  });
  expect(vibrate).toHaveBeenCalledTimes(1);
});

it.each([
  [{ sounds: false, haptics: true }, 0, 1],
  [{ sounds: true, haptics: false }, 1, 0],
  [{ sounds: false, haptics: false }, 0, 0],
])("with %j uses only what is switched on", async (settings, sounded, buzzed) => {
  changeSettings(settings);
  tell("settled", `ord_${JSON.stringify(settings)}`);
  // The sound's code is loaded first.
  await import("./chime.ts");
  await vi.waitFor(() => {
    expect(start).toHaveBeenCalledTimes(sounded);
  });
  expect(vibrate).toHaveBeenCalledTimes(buzzed);
});

it("vibrates differently for each outcome, and once for an order reported twice", () => {
  changeSettings({ sounds: false, haptics: true });
  const outcomes = ["won", "lost", "tied", "voided"] as const;
  for (const outcome of outcomes) {
    tell("settled", `felt_${outcome}`, outcome);
    tell("settled", `felt_${outcome}`, outcome);
  }
  const patterns = vibrate.mock.calls.map(([pattern]) => pattern.join());
  expect(patterns).toHaveLength(outcomes.length);
  expect(new Set(patterns).size).toBe(outcomes.length);
});
