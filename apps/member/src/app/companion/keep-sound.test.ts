// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { changeSettings } from "../../data/settings.ts";

const started = vi.fn<() => void>();
let isPressing = false;
const waiting: (() => void)[] = [];

/** A phone that allows sound only within a press, and otherwise lets a request wait for the next one. */
class Phone {
  state = "suspended";
  readonly currentTime = 0;
  readonly destination = {};
  resume(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(() => {
      this.state = "running";
      resolve();
    });
    if (isPressing) for (const allow of waiting.splice(0)) allow();
    return promise;
  }
  createOscillator = () => ({ frequency: { value: 0 }, connect: () => this.createGain(), start: started, stop() {} });
  createGain = () => ({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} });
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  started.mockReset();
  vi.stubGlobal("AudioContext", Phone);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  changeSettings({ sounds: false });
});

/** Loads the app's sound as a page does that has just been opened. */
async function openPage() {
  const { keepSound } = await import("./keep-sound.ts");
  const { chime } = await import("../../data/chime.ts");
  const settings = await import("../../data/settings.ts");
  keepSound();
  return { chime, change: settings.changeSettings };
}

function press(act: () => void = () => undefined): void {
  const button = document.createElement("button");
  button.addEventListener("click", act);
  document.body.append(button);
  isPressing = true;
  button.click();
  isPressing = false;
  button.remove();
}

async function ring(chime: () => Promise<void>): Promise<number> {
  const done = chime();
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
  return started.mock.calls.length;
}

it("sounds where the browser allows it only within a press, from the press that turns it on", async () => {
  const { chime, change } = await openPage();
  press();
  expect(await ring(chime)).toBe(0);
  press(() => change({ sounds: true }));
  expect(await ring(chime)).toBe(1);
});

it("stays silent before the first press, and isn't heard late at it", async () => {
  const { chime, change } = await openPage();
  change({ sounds: true });
  expect(await ring(chime)).toBe(0);
  press();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).not.toHaveBeenCalled();
  expect(await ring(chime)).toBe(1);
});

it("is silent in a browser without sound", async () => {
  vi.stubGlobal("AudioContext", undefined);
  const { chime, change } = await openPage();
  press(() => change({ sounds: true }));
  await expect(ring(chime)).resolves.toBe(0);
});
