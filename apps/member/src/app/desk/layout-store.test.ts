// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { changeLayout, FIRST, forgetLayouts, readLayout, resetLayout } from "./layout-store.ts";

const kept = () => JSON.parse(localStorage.getItem("fairtickDesk") ?? "null") as unknown;

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  forgetLayouts();
});

describe("a stored layout", () => {
  it("comes back as it was left, separately for each breakpoint", () => {
    changeLayout("desk", { watch: 300, tab: "funds", isDockOpen: false });
    changeLayout("wide", { secondSymbol: "XAUUSD" });
    expect(readLayout(kept(), "desk")).toEqual({ ...FIRST.desk, watch: 300, tab: "funds", isDockOpen: false });
    expect(readLayout(kept(), "wide")).toEqual({ ...FIRST.wide, secondSymbol: "XAUUSD" });
    expect(readLayout(kept(), "tablet")).toEqual(FIRST.tablet);
  });

  it.each([
    ["nothing", null],
    ["something other than an object", "wide open"],
    ["another version", { version: 0, layouts: { desk: { ...FIRST.desk, watch: 300 } } }],
    ["a later version", { version: 2, layouts: { desk: { ...FIRST.desk, watch: 300 } } }],
    ["invalid layouts", { version: 1, layouts: { desk: 7 } }],
    ["an array", [1, 2, 3]],
  ])("is the default for %s", (_, stored) => {
    expect(readLayout(stored, "desk")).toEqual(FIRST.desk);
  });

  it("keeps the valid parts of a partly broken one", () => {
    const broken = { watch: 10_000, ticket: "wide", dock: Number.NaN, charts: 0.4, tab: "orders", list: "fx" };
    expect(readLayout({ version: 1, layouts: { desk: broken } }, "desk")).toEqual({
      ...FIRST.desk,
      charts: 0.4,
      list: "fx",
    });
  });

  it("keeps a dock as high as a high window allowed", () => {
    changeLayout("wide", { dock: 700 });
    forgetLayouts();
    expect(readLayout(kept(), "wide").dock).toBe(700);
  });

  it("is reset to the default", () => {
    changeLayout("desk", { watch: 300 });
    resetLayout("desk");
    expect(readLayout(kept(), "desk")).toEqual(FIRST.desk);
  });

  it("lasts as long as the page if storage is full or forbidden", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect(() => {
      changeLayout("desk", { watch: 300 });
    }).not.toThrow();
    forgetLayouts();
    changeLayout("desk", {});
    vi.restoreAllMocks();
    changeLayout("desk", {});
    expect(readLayout(kept(), "desk").watch).toBe(300);
  });

  it("lasts as long as the page if not even reading is allowed", () => {
    for (const act of ["getItem", "setItem"] as const)
      vi.spyOn(Storage.prototype, act).mockImplementation(() => {
        throw new DOMException("forbidden", "SecurityError");
      });
    changeLayout("desk", { watch: 300 });
    forgetLayouts();
    changeLayout("desk", { ticket: 340 });
    vi.restoreAllMocks();
    changeLayout("desk", {});
    expect(readLayout(kept(), "desk")).toEqual({ ...FIRST.desk, watch: 300, ticket: 340 });
  });
});
