import type { SignerDoor } from "./signer-door.ts";

const WAIT_MS = 1_500;

/**
 * Asks for the signer's state without holding up what waits for it: screens ask inside a transaction. Everyone who asks
 * at the same time shares one question. If it isn't answered in time, the signer counts as unreachable, for later
 * callers at once, until it has answered again.
 */
export function patientSigner(signer: Pick<SignerDoor, "state">, waitMs = WAIT_MS): Pick<SignerDoor, "state"> {
  let asked: ReturnType<SignerDoor["state"]> | null = null;
  let isHung = false;
  function ask() {
    const question = signer.state();
    question
      .then(
        () => {
          isHung = false;
        },
        () => undefined,
      )
      .finally(() => {
        asked = null;
      });
    return question;
  }
  return {
    async state() {
      asked ??= ask();
      if (isHung) throw new Error("the signer does not answer");
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          isHung = true;
          reject(new Error("the signer does not answer"));
        }, waitMs);
      });
      return Promise.race([asked, late]).finally(() => clearTimeout(timer));
    },
  };
}
