// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PriceStore } from "./prices.ts";

describe("the price store", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("redraws a list once for all ticks of a quarter of a second", () => {
    const store = new PriceStore();
    const redraw = vi.fn();
    store.subscribe("EURUSD", "list", redraw);
    for (let seq = 1; seq <= 5; seq += 1) store.take("EURUSD", { seq, at: seq, price: `1.${seq}` });
    expect(redraw).not.toHaveBeenCalled();
    vi.advanceTimersByTime(250);
    expect(redraw).toHaveBeenCalledTimes(1);
    expect(store.shown("EURUSD", "list")?.price).toBe("1.5");
  });

  it("shows a list the same price until the flush, so that one redraw sees one state", () => {
    const store = new PriceStore();
    store.take("EURUSD", { seq: 1, at: 1, price: "1.1" });
    expect(store.shown("EURUSD", "list")?.price).toBe("1.1");
    store.take("EURUSD", { seq: 2, at: 2, price: "1.2" });
    expect(store.shown("EURUSD", "list")?.price).toBe("1.1");
    expect(store.newest("EURUSD")?.price).toBe("1.2");
  });

  it("leaves the cells of other instruments alone", () => {
    const store = new PriceStore();
    const other = vi.fn();
    store.subscribe("GBPUSD", "list", other);
    store.take("EURUSD", { seq: 1, at: 1, price: "1.1" });
    vi.advanceTimersByTime(1000);
    expect(other).not.toHaveBeenCalled();
  });

  it("ignores a tick that is not newer, as when a call and the stream bring the same one", () => {
    const store = new PriceStore();
    store.take("EURUSD", { seq: 7, at: 7, price: "1.7" });
    store.take("EURUSD", { seq: 6, at: 6, price: "1.6" });
    store.take("EURUSD", { seq: 7, at: 7, price: "9.9" });
    expect(store.newest("EURUSD")?.price).toBe("1.7");
  });

  it("notifies chart listeners of every tick at once", () => {
    const store = new PriceStore();
    const seen: string[] = [];
    const stop = store.onTick("EURUSD", ({ price }) => seen.push(price));
    store.take("EURUSD", { seq: 1, at: 1, price: "1.1" });
    stop();
    store.take("EURUSD", { seq: 2, at: 2, price: "1.2" });
    expect(seen).toEqual(["1.1"]);
  });

  it("redraws once a second while held, then at once, and at its own pace again", () => {
    const store = new PriceStore();
    const redraw = vi.fn();
    store.subscribe("EURUSD", "frame", redraw);
    let seq = 0;
    const tick = () => store.take("EURUSD", { seq: (seq += 1), at: seq, price: `1.${seq}` });
    const [release, another] = [store.hold(), store.hold()];
    for (let count = 0; count < 40; count += 1) {
      tick();
      vi.advanceTimersByTime(50);
    }
    expect(redraw).toHaveBeenCalledTimes(2);
    tick();
    another();
    // Releasing twice doesn't release another hold.
    another();
    expect(redraw).toHaveBeenCalledTimes(2);
    release();
    expect(redraw).toHaveBeenCalledTimes(3);
    tick();
    vi.advanceTimersByTime(20);
    expect(redraw).toHaveBeenCalledTimes(4);
  });
});
