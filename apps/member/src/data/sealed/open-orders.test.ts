// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepOpening } from "./open-orders.ts";
import { keepChoice } from "./shelf.ts";
import { bringHead } from "./test-sealing.ts";

const MEMBER = "usr_asking";
const asked: string[] = [];

beforeEach(() => {
  localStorage.setItem("exchange2508Token", "token");
  localStorage.setItem("loginState", JSON.stringify({ userInfo: { userId: MEMBER } }));
  asked.length = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ code: 200, msg: "", data: { items: [], nextCursor: null } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("looks for an unanswered order now and then, not with each price", async () => {
  const start = Date.now();
  await keepChoice({
    clientOrderId: "unanswered-0001",
    member: MEMBER,
    wallet: "practice",
    direction: "up",
    limitPrice: null,
    nonce: "ab".repeat(32),
    sentAt: start,
    orderNo: null,
    acceptedAt: null,
  });
  const looks = () => asked.filter((path) => path.endsWith("order/positions")).length;
  const pause = () =>
    new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  keepOpening();
  // Its own retries aren't over yet.
  bringHead(start + 59_000);
  await pause();
  expect(looks()).toBe(0);
  for (let slot = 0; slot < 25; slot += 1) {
    bringHead(start + 61_000 + slot * 100);
    await pause();
  }
  expect(looks()).toBe(1);
});
