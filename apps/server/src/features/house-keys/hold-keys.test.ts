import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../platform/config.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { fingerprintOf, holdKeys } from "./hold-keys.ts";

let context: TestContext;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.close());

const [first, second, third] = ["first", "second", "third"].map((key) => fingerprintOf(key)) as [
  string,
  string,
  string,
];

function hold(name: string, fingerprints: readonly string[], adoptDataDir = false): Promise<void> {
  return holdKeys(context.databases.log, { dataDir: "/srv/data", adoptDataDir }, [{ name, fingerprints }]);
}

describe("the house's keys", () => {
  it("are those of the first start, which can be repeated with the same keys", async () => {
    await hold("log", [first]);
    await expect(hold("log", [first])).resolves.toBeUndefined();
    await expect(hold("files", [second])).resolves.toBeUndefined();
  });

  it("refuse a folder without them, with advice", async () => {
    await hold("log", [first]);
    const refused = hold("log", [second]);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(
      /^The database was started with another data folder: \/srv\/data does not hold its keys \(log\)\. Point DATA_DIR at /,
    );
    await hold("log", [first]);
  });

  it("include a new key that is stored beside a known one, and then work without the old one", async () => {
    await hold("log", [first]);
    await hold("log", [first, second]);
    await hold("log", [second]);
    await expect(hold("log", [third])).rejects.toThrow(ConfigError);
  });

  it("are decided by one of two first starts at the same moment", async () => {
    const starts = await Promise.allSettled([hold("log", [first]), hold("log", [second])]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("are given up if somebody declares their folder lost, which is refused from then on", async () => {
    await hold("log", [first]);
    await hold("files", [first]);
    await hold("log", [second], true);
    await hold("log", [second]);
    await expect(hold("log", [first])).rejects.toThrow(ConfigError);
    await hold("files", [first]);
  });
});
