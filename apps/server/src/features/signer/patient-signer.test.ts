import { describe, expect, it } from "vitest";
import { patientSigner } from "./patient-signer.ts";
import type { SignerState } from "./signer-door.ts";

const STATE = { address: "0x1" } as SignerState;

describe("the signer's state for screens", () => {
  it("is requested once for all who ask at the same time", async () => {
    let asked = 0;
    const answer = Promise.withResolvers<SignerState>();
    const signer = patientSigner({
      state() {
        asked += 1;
        return answer.promise;
      },
    });
    const all = [signer.state(), signer.state(), signer.state()];
    answer.resolve(STATE);
    expect(await Promise.all(all)).toEqual([STATE, STATE, STATE]);
    expect(asked).toBe(1);
    await signer.state();
    expect(asked).toBe(2);
  });

  it("is waited for once if the signer hangs, and then refused at once until it is back", async () => {
    const answer = Promise.withResolvers<SignerState>();
    const signer = patientSigner({ state: () => answer.promise }, 30);
    await expect(signer.state()).rejects.toThrow("does not answer");
    // The refusal comes at once, before anything else has its turn.
    let refusal: unknown;
    void signer.state().catch((error: unknown) => (refusal = error));
    await new Promise(setImmediate);
    expect(String(refusal)).toContain("does not answer");
    answer.resolve(STATE);
    await answer.promise;
    await new Promise(setImmediate);
    expect(await signer.state()).toEqual(STATE);
  });
});
