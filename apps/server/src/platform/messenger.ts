import type { Mailer } from "./mail.ts";
import type { SmsSender } from "./sms.ts";

export interface Message {
  readonly channel: "phone" | "email";
  readonly to: string;
  /** Left out of an SMS. */
  readonly subject: string;
  readonly text: string;
  /** The language of the footer to add. Set for mails that people keep for longer than a code is valid. */
  readonly footerIn?: string;
}

export interface Messenger {
  /**
   * Takes a message and returns at once, so that the time of an answer doesn't reveal whether an address is known. A message that
   * fails is tried twice more, then given up with a log line that names the channel but not the address.
   */
  post(message: Message): void;
  /** Waits until all messages have been sent or given up. */
  drained(): Promise<void>;
}

const RETRY_DELAYS_MS = [500, 3_000];

export function createMessenger(parts: {
  readonly mailer: Mailer;
  readonly sms: SmsSender;
  readonly log: { warn(details: object, text: string): void };
  /** Returns the footer of mails in a language; null for none. */
  readonly footer?: (language: string) => Promise<string | null>;
}): Messenger {
  const underWay = new Set<Promise<void>>();
  const send = async ({ channel, to, subject, text, footerIn }: Message) => {
    if (channel === "phone") return parts.sms.send({ to, text });
    // The mail is more important than its footer, so it is sent without one if the footer can't be read.
    const footer = footerIn === undefined ? null : ((await parts.footer?.(footerIn).catch(() => null)) ?? null);
    return parts.mailer.send({ to, subject, text: footer === null ? text : `${text}\n\n-- \n${footer}` });
  };
  const deliver = async (message: Message) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send(message);
      } catch (error) {
        const delay = RETRY_DELAYS_MS[attempt];
        if (delay === undefined) {
          const reason = error instanceof Error ? error.message.replaceAll(message.to, "…") : "unknown";
          return parts.log.warn({ channel: message.channel, reason }, "a message could not be sent");
        }
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  };
  return {
    post(message) {
      const delivery = new Promise((resolve) => setImmediate(resolve)).then(() => deliver(message));
      underWay.add(delivery);
      void delivery.finally(() => underWay.delete(delivery));
    },
    async drained() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
