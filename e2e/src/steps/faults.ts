import type { StreamMessage } from "@fairtick/protocol";
import type { Page, WebSocketRoute } from "@playwright/test";

/** The server's message in journeys that make it refuse a call. */
export const REFUSAL = "The server says no today";

/** Makes a call fail with `msg`, which may be empty. The HTTP status stays 200: the envelope's code decides. */
export async function refuse(page: Page, call: string, msg = REFUSAL): Promise<void> {
  await page.route(`**/client/${call}`, (route) =>
    route.fulfill({ json: { code: 422, msg, data: { error: "CONFLICT" } } }),
  );
}

/** Makes a call fail as if the server couldn't be reached. */
export async function cut(page: Page, call: string): Promise<void> {
  await page.route(`**/client/${call}`, (route) => route.abort("connectionreset"));
}

export interface Network {
  lose(): void;
  comeBack(): void;
}

/** Lets a journey cut a page's calls and stream from the server, and reconnect them. The app's own files still load. */
export async function controlNetwork(page: Page): Promise<Network> {
  let isLost = false;
  const sockets = new Set<{ close(): Promise<void> }>();
  await page.route("**/client/**", (route) => (isLost ? route.abort("internetdisconnected") : route.fallback()));
  await page.routeWebSocket("**/client/stream", (socket) => {
    if (isLost) return void socket.close();
    sockets.add(socket);
    socket.connectToServer();
  });
  return {
    lose() {
      isLost = true;
      for (const socket of sockets) void socket.close();
      sockets.clear();
    },
    comeBack() {
      isLost = false;
    },
  };
}

export interface SteeredStream {
  /** Withholds prices from the page; other messages still pass. */
  stopPrices(): void;
  goOn(): void;
  /** Sends the page a message as the server would. */
  tell(message: StreamMessage): void;
}

/** Puts a proxy between the page and its stream. Call it before the page is opened. */
export async function steerStream(page: Page): Promise<SteeredStream> {
  let isSilent = false;
  const sockets = new Set<WebSocketRoute>();
  await page.routeWebSocket("**/client/stream", (socket) => {
    sockets.add(socket);
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isSilent || !String(message).startsWith('{"t":"ticks"')) socket.send(message);
    });
    socket.onClose(() => sockets.delete(socket));
  });
  return {
    stopPrices() {
      isSilent = true;
    },
    goOn() {
      isSilent = false;
    },
    tell(message) {
      for (const socket of sockets) socket.send(JSON.stringify(message));
    },
  };
}

/** Returns the toasts the page has shown so far that `expectToast` hasn't consumed. */
export async function toasts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => window.toldToasts ?? []);
}
