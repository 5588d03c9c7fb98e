import { connect } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createLogger, createServer, type Logger } from "vite";

/**
 * Serves one app from its sources with hot reload and forwards its calls to the real server. Started by `openDevApps`.
 */
const { values: options } = parseArgs({
  options: {
    app: { type: "string", default: "" },
    host: { type: "string", default: "" },
    port: { type: "string", default: "" },
    server: { type: "string", default: "" },
    paths: { type: "string", default: "" },
  },
});
/** How long a call waits for a server that is restarting. A busy machine needs more than 15 s for that. */
const SERVER_MS_MAX = 60_000;

const vite = await createServer({
  root: resolve(import.meta.dirname, "../../apps", options.app),
  clearScreen: false,
  customLogger: quietLogger(options.app),
  server: {
    host: options.host,
    port: Number(options.port),
    strictPort: true,
    proxy: {
      [options.paths]: {
        target: options.server,
        ws: true,
        async bypass() {
          await untilListening(new URL(options.server));
        },
      },
    },
  },
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end());
// The start script was killed.
process.on("disconnect", () => void end());
await vite.listen();
process.send?.({ kind: "listening" });

async function end(): Promise<void> {
  await Promise.race([vite.close(), sleep(500)]);
  process.exit(0);
}

/** Returns a logger for Vite's messages, except those about connections cut by a restart of the server. */
function quietLogger(app: string): Logger {
  const logger = createLogger("info", { prefix: `[${app}]` });
  const error = logger.error.bind(logger);
  logger.error = (text, more) => {
    if (/proxy (socket )?error/.test(text) && /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up/.test(text)) return;
    error(text, more);
  };
  return logger;
}

/** Waits until the server accepts connections, so that a page opened during its restart gets its responses. */
async function untilListening({ hostname, port }: URL): Promise<void> {
  const givenUpMs = performance.now() + SERVER_MS_MAX;
  while (!(await takesConnections(hostname, Number(port))) && performance.now() < givenUpMs) await sleep(50);
}

function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port });
    socket.once("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
}
