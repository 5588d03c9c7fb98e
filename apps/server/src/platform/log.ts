import pino from "pino";

export type Log = pino.Logger;

/** JSON lines on standard error, so that standard output stays for what a person reads at the start. */
export function createLog(name: string, level: string): Log {
  return pino({ name, level, base: { name, pid: process.pid } }, pino.destination({ dest: 2, sync: false }));
}
