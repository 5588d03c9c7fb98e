// @vitest-environment jsdom
import { InfiniteQueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords } from "../shared/i18n.ts";
import { askAgainAfter } from "./ask-again.ts";
import { setStreamUp } from "./connection.ts";
import { queryClient } from "./queries.ts";
import { CallError, type FailureKind } from "./transport.ts";

/** Page numbers requested so far, newest last. */
let asked: number[] = [];
/** The failure that the second page returns. */
let fails: FailureKind | null = null;
let stop = () => {};

beforeEach(async () => {
  await activateAllWords("en");
  vi.useFakeTimers();
  asked = [];
});
afterEach(() => {
  stop();
  queryClient.clear();
  setStreamUp(true);
  vi.useRealTimers();
});

/** Shows a list of two pages whose second page has just failed. */
async function listThatMisses(kind: FailureKind) {
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ["pages"],
    queryFn: ({ pageParam }) => {
      asked.push(pageParam);
      return pageParam === 2 && fails !== null
        ? Promise.reject(new CallError(fails, fails))
        : Promise.resolve(pageParam);
    },
    initialPageParam: 1,
    getNextPageParam: (last: number) => (last < 2 ? last + 1 : null),
  });
  fails = kind;
  stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  void observer.fetchNextPage();
  await vi.advanceTimersByTimeAsync(600);
  expect(observer.getCurrentResult()).toMatchObject({ isFetchNextPageError: true, data: { pages: [1] } });
  asked = [];
  fails = null;
  return observer;
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it("retries a list page that timed out at the next tap, and no other page", async () => {
  const observer = await listThatMisses("timeout");
  await wait(60_000);
  expect(asked).toEqual([]);
  document.body.click();
  await wait(0);
  expect(asked).toEqual([2]);
  expect(observer.getCurrentResult().data?.pages).toEqual([1, 2]);
});

it("retries a page that found no server when it is reachable again, or after ten seconds", async () => {
  const observer = await listThatMisses("network");
  setStreamUp(false);
  setStreamUp(true);
  await wait(0);
  expect(asked).toEqual([2]);
  expect(observer.getCurrentResult().data?.pages).toEqual([1, 2]);
  stop();
  queryClient.clear();
  await listThatMisses("network");
  await wait(10_000);
  expect(asked).toEqual([2]);
});

it("leaves a refused page to its retry button, and doesn't retry for a screen that was left", async () => {
  await listThatMisses("refused");
  document.body.click();
  await wait(60_000);
  expect(asked).toEqual([]);
  stop();
  queryClient.clear();
  await listThatMisses("timeout");
  stop();
  document.body.click();
  await wait(0);
  expect(asked).toEqual([]);
});

it.each<FailureKind>(["timeout", "network"])("asks once, and not at all once it is called off (%s)", async (kind) => {
  const again = vi.fn<() => void>();
  const callOff = askAgainAfter(new CallError(kind, "no answer"), again);
  setStreamUp(false);
  setStreamUp(true);
  document.body.click();
  await wait(20_000);
  expect(again).toHaveBeenCalledTimes(1);
  callOff();
  askAgainAfter(new CallError(kind, "no answer"), again)();
  setStreamUp(false);
  setStreamUp(true);
  document.body.click();
  await wait(20_000);
  expect(again).toHaveBeenCalledTimes(1);
});
