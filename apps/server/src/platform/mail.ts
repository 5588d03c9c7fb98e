import { createTransport } from "nodemailer";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/**
 * Sends mail by SMTP. `url`: `smtp://user:password@host:587` or `smtps://…`; `from`: `Fairtick <no-reply@example.com>`.
 * A host off this machine must speak TLS: a code on an open wire is no secret.
 */
export function createMailer(url: string, from: string): Mailer {
  const { hostname } = new URL(url);
  const onThisMachine = hostname === "127.0.0.1" || hostname === "[::1]" || hostname === "localhost";
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    requireTLS: !onThisMachine,
    ignoreTLS: onThisMachine,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      // An object, never a string: a string would be parsed for several addresses.
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}
