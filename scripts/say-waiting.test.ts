import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openWaitingList } from "./say-waiting.ts";

it("a start that takes long says what it still waits for, and nothing once all is there", async () => {
  const said: string[] = [];
  const list = openWaitingList((sentence) => said.push(sentence), 20);
  const [apps, database] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const parts = [list.add("the apps' build", apps.promise), list.add("the database", database.promise)];
  await sleep(50);
  expect(said[0]).toMatch(/^Still starting after \d+ s\. Waiting for: the apps' build, the database\.$/);
  database.resolve("there");
  await sleep(50);
  expect(said.at(-1)).toMatch(/Waiting for: the apps' build\.$/);
  apps.reject(new Error("it could not be built"));
  await expect(Promise.all(parts)).rejects.toThrow("it could not be built");
  await sleep(50);
  const count = said.length;
  await sleep(50);
  expect(said).toHaveLength(count);
  list.close();
});
