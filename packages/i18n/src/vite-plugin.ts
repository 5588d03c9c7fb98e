import { compileMessage } from "@lingui/message-utils/compileMessage";
import { join } from "node:path";
import { readMessagesOf } from "./catalogues.ts";
import { isLanguageCode } from "./languages.ts";

const PREFIX = "virtual:fairtick-messages/";
const FOLDER = join(import.meta.dirname, "../catalogues");
/** Areas that only the server uses. */
const SERVER_AREAS = ["mail", "message"];

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
 * A Vite plugin for messages. `import("virtual:fairtick-messages/<lang>")` returns compiled `{ messages }` for lingui's
 * `i18n.loadAndActivate`: one lazy chunk per language, with English for missing messages. `<lang>/home+shell` returns
 * only these areas, which a first view needs before the rest.
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
      const [code = "", areas] = id.slice(PREFIX.length + 1).split("/");
      if (!isLanguageCode(code)) throw new Error(`There is no language ${code}`);
      const only = areas?.split("+");
      const compiled = Object.fromEntries(
        Object.entries(readMessagesOf(code, { without: SERVER_AREAS, ...(only && { only }) })).map(([key, message]) => [
          key,
          compileMessage(message),
        ]),
      );
      // JSON.parse of one string loads faster than an object literal of that size.
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(compiled))});`;
    },
  };
}
