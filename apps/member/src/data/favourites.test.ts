// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { setFavourite } from "./favourites.ts";
import { keys, queryClient } from "./queries.ts";

/** The server: what it has stored, and answers that are let go one by one. */
let stored: string[] = [];
const asked: { readonly symbol: string; readonly on: boolean; readonly answer: (refused?: boolean) => void }[] = [];
const shown = () => queryClient.getQueryData<string[]>(keys.favourites);

beforeEach(() => {
  stored = [];
  asked.length = 0;
  queryClient.clear();
  queryClient.setQueryData(keys.favourites, []);
  localStorage.setItem("exchange2508Token", "the-token");
  vi.stubGlobal("fetch", (path: string, { body }: { readonly body: URLSearchParams }) => {
    if (path.endsWith("market/favourites")) return Promise.resolve(Response.json({ code: 200, msg: "", data: stored }));
    const symbol = body.get("symbol") ?? "";
    const on = body.get("on") === "true";
    const { promise, resolve } = Promise.withResolvers<Response>();
    asked.push({
      symbol,
      on,
      answer: (refused = false) => {
        if (!refused) stored = on ? [...new Set([...stored, symbol])] : stored.filter((other) => other !== symbol);
        const answer = refused ? { code: 422, msg: "no", data: null } : { code: 200, msg: "", data: stored };
        resolve(new Response(JSON.stringify(answer)));
      },
    });
    return promise;
  });
});

const came = (count: number) =>
  vi.waitFor(() => {
    expect(asked).toHaveLength(count);
  });

it("ends as it was wished last, however fast a star is tapped", async () => {
  void setFavourite("EURUSD", true);
  await came(1);
  void setFavourite("EURUSD", false);
  void setFavourite("EURUSD", true);
  const last = setFavourite("EURUSD", false);
  expect(shown()).toEqual([]);
  asked[0]!.answer();
  // The one answer that is known says on; what was wished since is shown.
  await came(2);
  expect(shown()).toEqual([]);
  expect(asked[1]).toMatchObject({ symbol: "EURUSD", on: false });
  asked[1]!.answer();
  await last;
  expect([shown(), stored, asked.length]).toEqual([[], [], 2]);
});

it("keeps what is wished of another meanwhile", async () => {
  const first = setFavourite("EURUSD", true);
  await came(1);
  const second = setFavourite("BTCUSD", true);
  asked[0]!.answer();
  await first;
  expect(shown()).toEqual(["EURUSD", "BTCUSD"]);
  await came(2);
  asked[1]!.answer();
  await second;
  expect(stored).toEqual(["EURUSD", "BTCUSD"]);
});

it("takes a refused wish back, and sends nothing of a member who has gone", async () => {
  const refused = setFavourite("EURUSD", true);
  await came(1);
  const left = setFavourite("BTCUSD", true);
  localStorage.setItem("exchange2508Token", "another-token");
  queryClient.setQueryData(keys.favourites, ["XAUUSD"]);
  asked[0]!.answer(true);
  await refused;
  await left;
  expect(asked).toHaveLength(1);
  expect(shown()).toEqual(["XAUUSD"]);
});

it("sends what a page that was left had not sent, when its member opens the app again", async () => {
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: "1001" } }));
  void setFavourite("EURUSD", true);
  void setFavourite("BTCUSD", true);
  await came(1);
  asked.length = 0;
  vi.resetModules();
  const again = await import("./favourites.ts");
  const { queryClient: client } = await import("./queries.ts");
  const wrapper = ({ children }: { readonly children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children);
  const { result } = renderHook(() => again.useFavourites(), { wrapper });
  await vi.waitFor(() => {
    expect(result.current).toEqual(["EURUSD", "BTCUSD"]);
  });
  await came(1);
  asked[0]!.answer();
  await came(2);
  asked[1]!.answer();
  await vi.waitFor(() => {
    expect(stored).toEqual(["EURUSD", "BTCUSD"]);
  });
  await vi.waitFor(() => {
    expect(localStorage.getItem("fairtickFavourites")).toBeNull();
  });
});
