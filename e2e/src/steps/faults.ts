import type { StreamMessage } from "@fairtick/protocol";
import type { Page, WebSocketRoute } from "@playwright/test";

/** What the server says where a journey lets it refuse. */
export const REFUSAL = "The server says no today";

/** Lets a call be refused with `msg`, or without a word. The status is not checked: the envelope's code decides. */
export async function refuse(page: Page, call: string, msg = REFUSAL): Promise<void> {
  await page.route(`**/client/${call}`, (route) =>
    route.fulfill({ json: { code: 422, msg, data: { error: "CONFLICT" } } }),
  );
}

/** Lets a call find no server. */
export async function cut(page: Page, call: string): Promise<void> {
  await page.route(`**/client/${call}`, (route) => route.abort("connectionreset"));
}

export interface Network {
  lose(): void;
  comeBack(): void;
}

/** Takes the server away from the calls and the stream of a page, and gives it back. The app itself still loads. */
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
  /** Lets no price through to the page; all else comes as before. */
  stopPrices(): void;
  goOn(): void;
  /** Tells the page something as the server would. */
  tell(message: StreamMessage): void;
}

/** Stands between the page and its stream. Called before the page is opened. */
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

/** The toasts that the page has said so far, and have not been asked for by `expectToast`. */
export async function toasts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => window.toldToasts ?? []);
}
