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
 * Creates a mailer that sends by SMTP. `url` is `smtp://user:password@host:587` or `smtps://…`, `from` is
 * `Fairtick <no-reply@example.com>`. A host other than this machine must use TLS, because mails contain secret codes.
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
      // Pass an object: a string would be parsed and could contain several addresses.
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}
