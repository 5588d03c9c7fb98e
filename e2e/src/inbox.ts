interface InboxMessage {
  readonly at: number;
  readonly to: string;
  readonly code?: string;
}

/** Returns the newest code sent to an address after `since` (ms), as its owner would read it in their mail. */
export async function readCode(url: string, to: string, since = 0): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(`${url}/dev/inbox?to=${encodeURIComponent(to)}`, {
      headers: { accept: "application/json" },
    });
    const messages = (await response.json()) as InboxMessage[];
    const code = messages.find((message) => message.at >= since && message.code !== undefined)?.code;
    if (code !== undefined) return code;
    await new Promise((wake) => {
      setTimeout(wake, 100);
    });
  }
  throw new Error(`no code arrived for ${to}`);
}
