import type { SignerDoor } from "./signer-door.ts";

const WAIT_MS = 1_500;

/**
 * Asks how the signer is without holding what waits for the answer: screens ask inside a transaction of their own. All who ask
 * at once share one question; one that is not answered in time counts as not reachable, and so do those that come after it, at
 * once, until the signer has answered again.
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
