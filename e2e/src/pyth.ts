import { type FakeHermes, startFakeHermes } from "@fairtick/testkit/fake-hermes";
import { pythMessage, pythTree, pythUpdateHex, signVaa, testGuardians } from "@fairtick/transparency/testing";

/** A fake Hermes that signs a price twice a second, in Pyth's real format but with its own guardians. */
export interface JourneyPyth {
  /** Environment that makes the product trust the guardians of this Hermes. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const KEY = "a key of the journeys";
const DOGE = "dcef50dd0a4cd2dcc17e45df1676dcb336a11a61c69df7a0299b0150c672d25c";
const EVERY_MS = 500;
const STEP = 10_000n;

export async function startPyth(): Promise<JourneyPyth> {
  const hermes = await startFakeHermes(KEY);
  const house = testGuardians(3, 2);
  let slot = 1n;
  const speaking = setInterval(() => {
    slot += 1n;
    speak(hermes, slot);
  }, EVERY_MS);

  /** Moves the price by one step around 0.33, so that the market is live but its price is predictable. */
  function speak(to: FakeHermes, at: bigint): void {
    const price = 33_000_000n + STEP * (at % 3n);
    const told = {
      id: DOGE,
      price,
      conf: price / 2_000n,
      expo: -8,
      publishTime: BigInt(Math.floor(Date.now() / 1000)),
    };
    const other = { ...told, id: "ab".repeat(32) };
    const { root, leaves } = pythTree([told, other].map(pythMessage));
    to.update([pythUpdateHex(signVaa(house, { slot: at, root }), leaves.slice(0, 1))], [told]);
  }

  const { set, quorum, guardians } = house.signers;
  return {
    environment: {
      PYTH_URL: hermes.url,
      PYTH_KEY: KEY,
      PYTH_GUARDIANS: JSON.stringify({
        set,
        quorum,
        guardians: guardians.map((each) => Buffer.from(each).toString("hex")),
      }),
    },
    async close() {
      clearInterval(speaking);
      await hermes.close();
    },
  };
}
