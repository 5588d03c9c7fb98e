export interface TextMessage {
  /** Phone number in E.164. */
  readonly to: string;
  readonly text: string;
}

export interface SmsSender {
  send(message: TextMessage): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/**
 * Creates a sender of SMS through an HTTP gateway: `POST url` with JSON `{to, from, text}`. Any 2xx counts as sent. User and
 * password in the URL become Basic authorization, a user alone a bearer token.
 */
export function createSmsSender(url: string, from: string): SmsSender {
  const target = new URL(url);
  const user = decodeURIComponent(target.username);
  const password = decodeURIComponent(target.password);
  target.username = "";
  target.password = "";
  const authorization = authorizationOf(user, password);
  return {
    async send({ to, text }) {
      const answer = await fetch(target, {
        method: "POST",
        headers: { "content-type": "application/json", ...(authorization !== undefined && { authorization }) },
        body: JSON.stringify({ to, from, text }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: "error",
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the SMS gateway answered ${answer.status}`);
    },
  };
}

function authorizationOf(user: string, password: string): string | undefined {
  if (user === "") return undefined;
  return password === "" ? `Bearer ${user}` : `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
