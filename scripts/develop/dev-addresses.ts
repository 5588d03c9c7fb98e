import { freePort } from "@fairtick/postgres";
import { type Config, readConfig } from "@fairtick/server";
import type { AppName } from "../build-app.ts";
import { refuseTakenPort } from "../before-start.ts";

/** Addresses under `npm run dev`: the apps' dev servers, at those of `npm start`, and the server behind them. */
export interface DevAddresses {
  readonly host: string;
  /** Host name of the server for this machine. */
  readonly serverHost: string;
  readonly apps: Readonly<
    Record<AppName, { readonly port: number; readonly serverPort: number; readonly url: string }>
  >;
}

/**
 * Gives PORT and CONSOLE_PORT to the dev servers and free ports to the server behind them. Changes this process's
 * environment, which all others inherit. The server uses the dev servers' addresses as its public ones, so that links,
 * the Origin check and the log's name are the same as under `npm start`.
 */
export async function chooseDevAddresses(config: Config): Promise<DevAddresses> {
  const { host } = config;
  await refuseTakenPort(host, config.port, "PORT");
  await refuseTakenPort(host, config.consolePort, "CONSOLE_PORT");
  const [port, consolePort, serverPort, serverConsolePort] = [
    config.port === 0 ? await freePort() : config.port,
    config.consolePort === 0 ? await freePort() : config.consolePort,
    await freePort(),
    await freePort(),
  ];
  const named = readConfig({ DATABASE_URL: config.databaseUrl, HOST: host, PORT: String(port) });
  const serverHost = new URL(named.publicUrl).hostname;
  const member = process.env["PUBLIC_URL"] || named.publicUrl;
  const office = process.env["CONSOLE_URL"] || `http://${serverHost}:${consolePort}`;
  Object.assign(process.env, {
    PORT: String(serverPort),
    CONSOLE_PORT: String(serverConsolePort),
    PUBLIC_URL: member,
    CONSOLE_URL: office,
  });
  return {
    host,
    serverHost,
    apps: {
      member: { port, serverPort, url: member },
      backoffice: { port: consolePort, serverPort: serverConsolePort, url: office },
    },
  };
}
