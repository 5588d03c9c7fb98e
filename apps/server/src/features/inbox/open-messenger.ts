import type { Context } from "../../platform/context.ts";
import { createMailer } from "../../platform/mail.ts";
import { createMessenger, type Messenger } from "../../platform/messenger.ts";
import { createSmsSender } from "../../platform/sms.ts";
import { checkpointFooter } from "./checkpoint-footer.ts";
import { type Inbox, startInbox } from "./inbox.ts";

export interface OpenMessenger {
  readonly messenger: Messenger;
  /** Catches mail or SMS for which no server is configured; null if both are really sent. */
  readonly inbox: Inbox | null;
  close(): Promise<void>;
}

const SMS_FROM = "Fairtick";

/** Opens mail and SMS with the configured servers. In a sandbox, the inbox replaces a server that isn't configured. */
export async function openMessenger({
  config,
  clock,
  log,
  databases,
}: Pick<Context, "config" | "clock" | "log" | "databases">): Promise<OpenMessenger> {
  const { mailUrl, smsUrl, deployment } = config;
  const caught = mailUrl === null || smsUrl === null;
  if (caught && deployment === "live") throw new Error("live has no inbox: MAIL_URL and SMS_URL must be set");
  const inbox = caught ? await startInbox(clock) : null;
  const mailer = createMailer(mailUrl ?? inbox?.mailUrl ?? "", config.mailFrom);
  const sms = createSmsSender(smsUrl ?? inbox?.smsUrl ?? "", SMS_FROM);
  const messenger = createMessenger({
    mailer,
    sms,
    log,
    footer: (language) => checkpointFooter(databases.reader, language),
  });
  return {
    messenger,
    inbox,
    async close() {
      await messenger.drained();
      mailer.close();
      await inbox?.close();
    },
  };
}
