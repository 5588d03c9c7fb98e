// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { goLive } from "./live.ts";

const sockets: FakeSocket[] = [];

/** A socket whose server is the test. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 0;
  send = vi.fn<(text: string) => void>();
  constructor() {
    super();
    sockets.push(this);
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  say(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
  }
}

const asked = vi.fn<(path: string) => void>();
let stop: () => void;

/** Connects again, as after a loss of the network, until the subscription counts. */
function reconnect(): void {
  sockets.at(-1)?.close();
  dispatchEvent(new Event("online"));
  sockets.at(-1)?.open();
  sockets.at(-1)?.say({ t: "ok", op: "subscribe", now: Date.now() });
}

beforeEach(() => {
  localStorage.setItem("exchange2508Token", "token");
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (url: string) => {
    asked(new URL(url, "http://house.example").pathname);
    return Promise.resolve(new Response(JSON.stringify({ code: 200, msg: "", data: [] })));
  });
  const stream = goLive();
  stop = () => stream.close();
  sockets.at(-1)?.open();
});
afterEach(() => {
  stop();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it("asks after a lost connection which alerts were reached meanwhile, but only if there was something to lose", async () => {
  reconnect();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(asked).not.toHaveBeenCalledWith("/client/alert/list");
  sockets.at(-1)?.say({ t: "ticks", now: Date.now(), d: [["EURUSD", 1, Date.now(), "1.084120"]] });
  reconnect();
  await expect.poll(() => asked.mock.calls.flat()).toContain("/client/alert/list");
});
