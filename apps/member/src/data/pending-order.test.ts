// @vitest-environment jsdom
import { beforeEach, expect, it } from "vitest";
import { dropPending, isOwn, keepPending, newClientId, readPending, type PendingOrder } from "./pending-order.ts";

const ORDER: PendingOrder = {
  clientOrderId: "order-0001",
  member: "mem_1",
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  stake: "12.50",
  duration: 60,
  payoutRate: "0.9",
  fee: "0.12",
  sentAt: 1_000,
};

const logIn = (userId: string) => {
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId } }));
};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  logIn("mem_1");
});

it("is read back by the member who sent it", () => {
  keepPending(ORDER);
  expect(readPending()).toEqual(ORDER);
  dropPending();
  expect(readPending()).toBeNull();
});

it("doesn't belong to anyone else who logs in on the same tab", () => {
  keepPending(ORDER);
  logIn("mem_2");
  expect(readPending()).toBeNull();
  expect(isOwn(ORDER)).toBe(false);
  localStorage.clear();
  expect(readPending()).toBeNull();
});

it("gets a unique id that sorts by time and uses only characters that the server accepts", () => {
  const ids = Array.from({ length: 2_000 }, newClientId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});
