// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  currentPlace,
  goBack,
  hrefOf,
  Link,
  navigate,
  navigateTo,
  placeOf,
  ShownPlace,
  useIsHere,
  watchPlace,
} from "./navigation.tsx";

beforeEach(() => {
  navigateTo("/pages/home/index");
});
afterEach(cleanup);

describe("an address", () => {
  it.each([
    ["", { path: "/", search: {} }],
    ["/pages/order/index?tab=history", { path: "/pages/order/index", search: { tab: "history" } }],
    ["/pages/kf/index?a=1&a=2&b=%26", { path: "/pages/kf/index", search: { a: "2", b: "&" } }],
    ["/pages/x/y?next=/pages/z/z?q=1", { path: "/pages/x/y", search: { next: "/pages/z/z?q=1" } }],
  ])("%s is read", (href, place) => {
    expect(placeOf(href)).toEqual({ ...place, href });
  });

  it("leaves out undefined values, and parses back to the same", () => {
    const search = { next: "/pages/order/index?tab=history", symbol: undefined, name: "ä&=#" };
    const href = hrefOf({ to: "/pages/index/index", search });
    expect(placeOf(href).search).toEqual({ next: "/pages/order/index?tab=history", name: "ä&=#" });
    expect(hrefOf({ to: "/pages/index/index", search: { next: undefined } })).toBe("/pages/index/index");
  });
});

/** jsdom follows links and walks its history in a separate task, hence the waiting. */
describe("navigation", () => {
  it("reports each new place once, and not the same one again", () => {
    const watcher = vi.fn<() => void>();
    const stop = watchPlace(watcher);
    navigate({ to: "/pages/market/index" });
    navigate({ to: "/pages/market/index" });
    expect(watcher).toHaveBeenCalledTimes(1);
    expect(location.hash).toBe("#/pages/market/index");
    stop();
    navigate({ to: "/pages/home/index" });
    expect(watcher).toHaveBeenCalledTimes(1);
  });

  it("goes back to where it came from, skipping replaced places", async () => {
    navigate({ to: "/pages/index/index" });
    navigate({ to: "/pages/index/Register", replace: true });
    goBack("/pages/market/index");
    await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/home/index"));
  });

  it("counts a link that the browser follows itself as a step", async () => {
    render(
      <Link to="/pages/trade/index" search={{ symbol: "EURUSD" }}>
        chart
      </Link>,
    );
    fireEvent.click(screen.getByText("chart"));
    await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/trade/index?symbol=EURUSD"));
    goBack("/pages/market/index");
    await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/home/index"));
  });

  it("replaces the place if a link says so, except in a new tab", () => {
    render(
      <Link to="/pages/order/index" search={{ tab: "history" }} replace>
        history
      </Link>,
    );
    const before = history.length;
    fireEvent.click(screen.getByText("history"), { ctrlKey: true });
    expect(currentPlace().href).toBe("/pages/home/index");
    fireEvent.click(screen.getByText("history"));
    expect(currentPlace().href).toBe("/pages/order/index?tab=history");
    expect(history.length).toBe(before);
  });

  it("goes back from a first place, which has no history, to the named one", async () => {
    history.replaceState({ depth: 0 }, "", "#/pages/assets/index");
    dispatchEvent(new PopStateEvent("popstate"));
    goBack("/pages/user/index");
    await vi.waitFor(() => expect(currentPlace().href).toBe("/pages/user/index"));
  });

  it("tells a late answer whether its screen was left in the meantime", () => {
    const answers: boolean[] = [];
    function Form() {
      const isHere = useIsHere();
      return <button onClick={() => answers.push(isHere())}>answer</button>;
    }
    navigate({ to: "/pages/qk/qk", search: { chain: "test" } });
    render(
      <ShownPlace value={currentPlace()}>
        <Form />
      </ShownPlace>,
    );
    fireEvent.click(screen.getByText("answer"));
    navigate({ to: "/pages/qk/addresses" });
    fireEvent.click(screen.getByText("answer"));
    expect(answers).toEqual([true, false]);
  });
});
