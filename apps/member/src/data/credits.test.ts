// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { act } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { noteCredit, noteMissedCredit, seeCredit, useCredit } from "./credits.ts";
import { type Deposit, takeDeposit } from "./deposits.ts";
import { queryClient } from "./queries.ts";
import { storeWallet } from "./session.ts";

const announced: Deposit = {
  depositNo: "dep_1",
  method: "bank",
  state: "processing",
  stage: "awaiting_transfer",
  amount: "100.00",
  createdAt: 1_000,
  stageAt: 1_000,
};
const credited: Deposit = { ...announced, state: "deposited", stage: "credited", stageAt: 2_000, creditedAt: 2_000 };

const logIn = (userId: string) => localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId } }));
const shown = () => renderHook(() => useCredit()).result.current;

beforeEach(() => {
  queryClient.clear();
  logIn("mem_1");
});
afterEach(() => localStorage.clear());

it("keeps the credit of an arriving deposit until it is seen, and announces it once", () => {
  const { result } = renderHook(() => useCredit());
  act(() => takeDeposit(announced));
  expect(result.current).toBeNull();
  act(() => takeDeposit(credited));
  expect(result.current).toMatchObject({ depositNo: "dep_1", amount: "100.00" });
  act(seeCredit);
  act(() => takeDeposit({ ...credited, stageAt: 3_000 }));
  expect(result.current).toBeNull();
});

it("announces nothing while the real wallet is in view", () => {
  storeWallet("real");
  noteCredit(credited);
  expect(shown()).toBeNull();
});

it("doesn't show it to the next member of this device", () => {
  noteCredit(credited);
  logIn("mem_2");
  expect(shown()).toBeNull();
});

it.each([
  ["not JSON", "nothing"],
  ["no amount", JSON.stringify({ member: "mem_1", depositNo: "dep_1" })],
  ["an invalid amount", JSON.stringify({ member: "mem_1", depositNo: "dep_1", amount: "<b>9</b>" })],
])("ignores a stored value that isn't a credit: %s", (_, stored) => {
  localStorage.setItem("fairtickCredit", stored);
  expect(shown()).toBeNull();
});

it("notes the newest credit that was made while nothing could tell the device, once", () => {
  noteMissedCredit([announced]);
  noteMissedCredit([
    { ...credited, depositNo: "dep_3", amount: "30.00", creditedAt: 3_000 },
    { ...credited, depositNo: "dep_4", amount: "40.00", creditedAt: 4_000 },
    { ...announced, depositNo: "dep_5" },
  ]);
  expect(shown()).toMatchObject({ depositNo: "dep_4", amount: "40.00" });
  seeCredit();
  noteMissedCredit([{ ...credited, depositNo: "dep_4", creditedAt: 4_000 }]);
  expect(shown()).toBeNull();
});

it("doesn't take what was credited before the member used this device for news", () => {
  noteMissedCredit([credited]);
  expect(shown()).toBeNull();
  logIn("mem_2");
  noteMissedCredit([{ ...credited, creditedAt: 9_000 }]);
  expect(shown()).toBeNull();
});

it("doesn't note again what the stream told, nor what arrived with the real wallet in view", () => {
  noteMissedCredit([]);
  act(() => takeDeposit(credited));
  seeCredit();
  noteMissedCredit([credited]);
  expect(shown()).toBeNull();
  storeWallet("real");
  noteMissedCredit([{ ...credited, depositNo: "dep_2", creditedAt: 3_000 }]);
  storeWallet("practice");
  noteMissedCredit([{ ...credited, depositNo: "dep_2", creditedAt: 3_000 }]);
  expect(shown()).toBeNull();
});
