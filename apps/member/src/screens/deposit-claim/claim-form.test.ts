import { describe, expect, it } from "vitest";
import { claimProblems, claimSent } from "./claim-form.ts";

const FORM = { quantity: "250.5", txHash: "", fileId: "fil_1", isOnItsWay: false };

describe("a claim", () => {
  it.each([
    [{ quantity: "" }, "quantity", "bank.enterQuantity"],
    [{ quantity: "0" }, "quantity", "bank.enterQuantity"],
    [{ quantity: "1,000" }, "quantity", "fields.decimal.unclear"],
    [{ quantity: "1.2345678" }, "quantity", "fields.decimal.places"],
    [{ quantity: "-5" }, "quantity", "fields.decimal.sign"],
    [{ txHash: "0x12" }, "txHash", "bank.hashWrong"],
    [{ fileId: "" }, "fileId", "bank.uploadProof"],
    [{ fileId: "", isOnItsWay: true }, "fileId", "upload.onItsWay"],
  ])("with %o reports what is wrong with %s", (change, field, message) => {
    expect(claimProblems({ ...FORM, ...change }, ".")).toMatchObject([{ field, message }]);
  });

  it("leaves out an empty hash", () => {
    expect(claimProblems(FORM, ".")).toEqual([]);
    expect(claimSent(FORM, ".")).toEqual({ quantity: "250.5", fileId: "fil_1", txHash: undefined });
    expect(claimSent({ ...FORM, txHash: ` ${"a".repeat(64)} ` }, ".").txHash).toHaveLength(64);
  });
});
