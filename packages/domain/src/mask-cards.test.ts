import { describe, expect, it } from "vitest";
import { maskCards } from "./mask-cards.ts";

describe("card numbers in a text", () => {
  it.each([
    ["My card is 4242424242424242, thanks", "My card is ••••••••••••4242, thanks"],
    ["4242 4242 4242 4242", "•••• •••• •••• 4242"],
    ["5555-5555-5555-4444", "••••-••••-••••-4444"],
    ["3782 822463 10005", "•••• •••••• •0005"],
    ["4222222222222 is short", "•••••••••2222 is short"],
    ["６０１１ １１１１ １１１１ １１１７", "•••• •••• •••• １１１７"],
    ["4242 4242 4242 4242 and 5555 5555 5555 4444", "•••• •••• •••• 4242 and •••• •••• •••• 4444"],
    ["4242.4242.4242.4242\n4000056655665556", "••••.••••.••••.4242\n••••••••••••5556"],
    ["id 94242424242424242", "id 9••••••••••••4242"],
  ])("are hidden but for their last four digits: %s", (text, masked) => {
    expect(maskCards(text)).toBe(masked);
  });

  it.each([
    "6011111111111118",
    "Call +49 30 901820",
    "Order 1234567890123",
    "2026-11-21 14:20:33.417",
    "0000 0000 0000 0000",
    "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    "",
  ])("are not seen where there is none: %s", (text) => {
    expect(maskCards(text)).toBe(text);
  });
});
