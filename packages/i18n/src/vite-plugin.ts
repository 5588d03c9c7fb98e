import { compileMessage } from "@lingui/message-utils/compileMessage";
import { join } from "node:path";
import { readAreas, readMessagesOf } from "./catalogues.ts";
import { isLanguageCode } from "./languages.ts";

const PREFIX = "virtual:fairtick-messages/";
const FOLDER = join(import.meta.dirname, "../catalogues");
/** Areas that only the server uses. */
const SERVER_AREAS = new Set(["mail", "message"]);
/**
 * The areas that a part of the messages has: `first` what the shell and home show, `trade` what the trade tab and the
 * order form show before anything else is loaded, `all` whatever an app shows.
 */
const PARTS: Readonly<Record<string, readonly string[] | undefined>> = {
  first: ["common", "home", "shell"],
  trade: "account alerts chart common errors fields home mine order orders result shell ticket trade".split(" "),
  all: readAreas("en")
    .map(({ name }) => name)
    .filter((name) => !SERVER_AREAS.has(name)),
};

/** The part of a Vite plugin that is used here, so that this package doesn't depend on Vite. */
interface MessagesPlugin {
  readonly name: string;
  configureServer(server: {
    watcher: { add(path: string): unknown; on(event: "change", listener: (path: string) => void): unknown };
    ws: { send(message: { type: "full-reload" }): void };
    moduleGraph: { invalidateAll(): void };
  }): void;
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
}

/**
 * A Vite plugin for messages. `import("virtual:fairtick-messages/<lang>/<part>")` returns compiled `{ messages }` for
 * lingui's `i18n.loadAndActivate`: a lazy chunk for each language and part (`PARTS`), with English for missing messages.
 */
export function fairtickMessages(): MessagesPlugin {
  return {
    name: "fairtick-messages",
    configureServer({ watcher, ws, moduleGraph }) {
      watcher.add(FOLDER);
      watcher.on("change", (path) => {
        if (!path.startsWith(FOLDER)) return;
        moduleGraph.invalidateAll();
        ws.send({ type: "full-reload" });
      });
    },
    resolveId(id) {
      return id.startsWith(PREFIX) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const [code = "", part = ""] = id.slice(PREFIX.length + 1).split("/");
      if (!isLanguageCode(code)) throw new Error(`There is no language ${code}`);
      const only = PARTS[part];
      if (only === undefined) throw new Error(`The messages have no part ${part}`);
      const compiled = Object.fromEntries(
        Object.entries(readMessagesOf(code, { only })).map(([key, message]) => [key, compileMessage(message)]),
      );
      // JSON.parse of one string loads faster than an object literal of that size.
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(compiled))});`;
    },
  };
}
