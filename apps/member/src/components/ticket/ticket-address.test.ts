// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { ticketSearch, ticketStart } from "./ticket-address.ts";

const TICKET = { direction: "down", stake: "37.50", duration: 300, limitOn: false, limitPrice: "" } as const;

describe("a ticket in an address", () => {
  it("is read as it was written", () => {
    const search = ticketSearch("EURUSD", TICKET);
    expect(search).toEqual({ symbol: "EURUSD", direction: "down", stake: "37.50", duration: "300" });
    expect(ticketStart(search)).toEqual({ direction: "down", terms: { stake: "37.50", durationSeconds: 300 } });
  });

  it("leaves out what is not chosen, and what is no amount", () => {
    expect(ticketSearch("EURUSD", { ...TICKET, direction: null, stake: "ten", duration: null })).toEqual({
      symbol: "EURUSD",
    });
  });

  it.each([
    ["a direction that there is not", { direction: "sideways" }],
    ["an amount that is none", { stake: "-5" }],
    ["an amount with more than cents", { stake: "1.001" }],
    ["a length that is none", { duration: "1e3" }],
    ["nothing", {}],
  ])("is read from anybody's address with care: %s", (_, search) => {
    expect(ticketStart(search)).toEqual({ direction: null, terms: {} });
  });
});
