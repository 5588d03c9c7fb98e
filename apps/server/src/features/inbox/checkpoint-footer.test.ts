import { createHash } from "node:crypto";
import { type Builder, createBuilder } from "@fairtick/testkit";
import { ED25519_TYPE, signCheckpoint, signerKey } from "@fairtick/transparency";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { type OpenMessenger, openMessenger } from "./open-messenger.ts";

const LOG_KEY = signerKey("house.example/log", ED25519_TYPE, new Uint8Array(32).fill(9));
const ROOT = createHash("sha256").update("a tree").digest();
let context: TestContext;
let build: Builder;
let mail: OpenMessenger;
beforeAll(async () => {
  context = await createTestContext();
  build = await createBuilder(context.database.url);
  mail = await openMessenger(context);
});
afterAll(async () => {
  await mail.close();
  await build.end();
  await context.close();
});

async function sent(text: string, footerIn?: string): Promise<string | undefined> {
  const to = "reader@example.org";
  mail.messenger.post({ channel: "email", to, subject: "A mail", text, ...(footerIn && { footerIn }) });
  await mail.messenger.drained();
  return mail.inbox?.messages(to)[0]?.text;
}

it("is below mails that are worth keeping, in their language, once there is a checkpoint, but not below codes", async () => {
  expect(await sent("Before the log.", "en")).toBe("Before the log.");
  const note = signCheckpoint({ origin: "house.example/log", size: 4_711, root: ROOT }, LOG_KEY);
  await build.client.query(
    `INSERT INTO log_published (size, note, covers_at, signed_size, signed_note, signed_at, witnesses)
     VALUES (4711, $1, 1, 4711, $1, 1, '[]')`,
    [note],
  );
  const [first, second, third, fourth] = ROOT.toString("hex").match(/.{4}/g) ?? [];
  const short = `house.example/log · 4711 · ${first} ${second} ${third} ${fourth}`;
  expect(await sent("Dear member.", "en")).toBe(
    `Dear member.\n\n-- \nThe public log when this message was sent: ${short}`,
  );
  expect(await sent("Liebes Mitglied.", "de")).toBe(
    `Liebes Mitglied.\n\n-- \nÖffentliches Protokoll, als diese Nachricht abgeschickt wurde: ${short}`,
  );
  expect(await sent("Your code is 123456.")).toBe("Your code is 123456.");
});
