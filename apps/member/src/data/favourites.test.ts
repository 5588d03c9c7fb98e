// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { setFavourite } from "./favourites.ts";
import { keys, queryClient } from "./queries.ts";

/** The fake server: what it has stored, and the answers that a test releases one by one. */
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

it("ends in the last state chosen, however fast a star is tapped", async () => {
  void setFavourite("EURUSD", true);
  await came(1);
  void setFavourite("EURUSD", false);
  void setFavourite("EURUSD", true);
  const last = setFavourite("EURUSD", false);
  expect(shown()).toEqual([]);
  asked[0]!.answer();
  // The only known answer says on; the member's later choice is shown.
  await came(2);
  expect(shown()).toEqual([]);
  expect(asked[1]).toMatchObject({ symbol: "EURUSD", on: false });
  asked[1]!.answer();
  await last;
  expect([shown(), stored, asked.length]).toEqual([[], [], 2]);
});

it("keeps what was chosen for another instrument in the meantime", async () => {
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

it("undoes a refused choice, and sends nothing for a member who has logged out", async () => {
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

it("sends what an abandoned page had not sent when its member opens the app again", async () => {
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
