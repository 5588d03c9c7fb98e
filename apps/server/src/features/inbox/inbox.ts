/**
 * Mail and SMS of a sandbox: two real servers on the loopback interface that receive what the adapters send, and keep it for
 * the developer's inbox page. Nothing leaves the machine, and the code that runs in `live` is exercised unchanged.
 */
import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { type Clock, isLoopbackHost } from "@fairtick/domain";
import { SMTPServer } from "smtp-server";
import * as v from "valibot";
import { parsePlainMail } from "./plain-mail.ts";

export interface CaughtMessage {
  readonly at: number;
  readonly channel: "email" | "phone";
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The six-digit code in the message, if there is one. */
  readonly code?: string;
}

export interface Inbox {
  /** Address of the mail server, for `createMailer`. */
  readonly mailUrl: string;
  /** Address of the SMS gateway, for `createSmsSender`. */
  readonly smsUrl: string;
  /** Returns the messages to one address, or all of them, newest first. */
  messages(to?: string): readonly CaughtMessage[];
  close(): Promise<void>;
}

const KEPT_MAX = 2_000;
const BYTES_MAX = 262_144;
const SOCKETS_MAX = 256;
const textMessage = v.object({ to: v.string(), from: v.string(), text: v.string() });

function listen(server: Pick<Server, "listen" | "once" | "address">): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

type Keep = (message: Omit<CaughtMessage, "at" | "code">) => void;

/** Starts both servers on free ports of the loopback interface. */
export async function startInbox(clock: Clock): Promise<Inbox> {
  const kept: CaughtMessage[] = [];
  const keep: Keep = (message) => {
    const code = /(?<!\d)\d{6}(?!\d)/.exec(message.text)?.[0];
    kept.push({ at: Number(clock.now()), ...message, ...(code !== undefined && { code }) });
    if (kept.length > KEPT_MAX) kept.shift();
  };

  const mail = createMailServer(keep);
  const sms = createSmsServer(keep);
  const mailPort = await listen(mail.server);
  const smsPort = await listen(sms);
  return {
    mailUrl: `smtp://127.0.0.1:${mailPort}`,
    smsUrl: `http://127.0.0.1:${smsPort}/messages`,
    messages: (to) =>
      kept.filter((message) => to === undefined || message.to.toLowerCase() === to.toLowerCase()).reverse(),
    async close() {
      sms.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => mail.close(() => resolve())),
        new Promise<void>((resolve) => sms.close(() => resolve())),
      ]);
    },
  };
}

/** Creates a mail server that accepts every mail, without TLS or login, since it is reachable from this machine only. */
function createMailServer(keep: Keep): SMTPServer {
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    logger: false,
    size: BYTES_MAX,
    maxClients: SOCKETS_MAX,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", done);
      stream.on("end", () => {
        const { subject, text } = parsePlainMail(Buffer.concat(chunks));
        for (const { address } of session.envelope.rcptTo) keep({ channel: "email", to: address, subject, text });
        done(stream.sizeExceeded ? new Error("the mail is too large") : null);
      });
    },
  });
  // A client may disconnect at any time. That isn't the server's error.
  mail.on("error", () => undefined);
  return mail;
}

function createSmsServer(keep: Keep) {
  const sms = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) => {
    // Otherwise a web page in the developer's browser could send messages that look like ours.
    if (!isLoopbackHost(request.headers.host) || request.headers.origin !== undefined) {
      request.resume();
      response.writeHead(isLoopbackHost(request.headers.host) ? 403 : 421).end();
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("error", () => response.destroy());
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= BYTES_MAX) chunks.push(chunk);
    });
    request.on("end", () => {
      const message = bytes <= BYTES_MAX ? readTextMessage(Buffer.concat(chunks).toString()) : null;
      if (request.method === "POST" && message !== null)
        keep({ channel: "phone", subject: "", to: message.to, text: message.text });
      response.writeHead(message === null ? 400 : 202).end();
    });
  });

  sms.maxConnections = SOCKETS_MAX;
  return sms;
}

function readTextMessage(json: string): v.InferOutput<typeof textMessage> | null {
  try {
    const parsed = v.safeParse(textMessage, JSON.parse(json));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
