import { afterEach, beforeEach, expect, it, vi } from "vitest";

vi.mock("./quiet-moment.ts", () => ({ quietMoment: () => Promise.resolve() }));

/** A service worker that is being installed. */
class Worker extends EventTarget {
  state = "installing";
  readonly told: unknown[] = [];
  postMessage(message: unknown) {
    this.told.push(message);
    container.dispatchEvent(new Event("controllerchange"));
  }
  becomes(state: string) {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

let container: EventTarget;
let registration: EventTarget & { installing: Worker | null; waiting: Worker | null; update: () => Promise<void> };
let takeUpdate: () => Promise<void>;
const reload = vi.fn<() => void>();
const turn = () => vi.advanceTimersByTimeAsync(0);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  reload.mockClear();
  registration = Object.assign(new EventTarget(), {
    installing: null,
    waiting: null,
    // As browsers do, it resolves as soon as the newer worker is being installed.
    update: () => {
      registration.installing ??= new Worker();
      return Promise.resolve();
    },
  });
  container = Object.assign(new EventTarget(), {
    controller: {},
    register: () => Promise.resolve(registration),
  });
  vi.stubEnv("PROD", true);
  vi.stubGlobal("navigator", { serviceWorker: container });
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("document", new EventTarget());
  const { keepServiceWorker, ...module } = await import("./service-worker.ts");
  ({ takeUpdate } = module);
  await keepServiceWorker();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it("waits until the newer version is installed, activates it and reloads", async () => {
  void takeUpdate();
  await turn();
  expect(reload).not.toHaveBeenCalled();
  const worker = registration.installing!;
  Object.assign(registration, { installing: null, waiting: worker });
  worker.becomes("installed");
  await turn();
  expect(worker.told).toEqual([{ type: "SKIP_WAITING" }]);
  expect(reload).toHaveBeenCalledTimes(1);
});

it("reloads without it if its installation fails or takes too long", async () => {
  void takeUpdate();
  await turn();
  const failed = registration.installing!;
  registration.installing = null;
  failed.becomes("redundant");
  await turn();
  expect(reload).toHaveBeenCalledTimes(1);
  void takeUpdate();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(reload).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reload).toHaveBeenCalledTimes(2);
});

it("activates a version that waits already, without waiting for another", async () => {
  const worker = new Worker();
  Object.assign(registration, { waiting: worker, update: () => Promise.resolve() });
  void takeUpdate();
  await turn();
  expect(worker.told).toHaveLength(1);
  expect(reload).toHaveBeenCalledTimes(1);
});
