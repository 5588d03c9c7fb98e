import pino from "pino";

export type Log = pino.Logger;

/** Creates a log of JSON lines on standard error. Standard output is left for what people read at the start. */
export function createLog(name: string, level: string): Log {
  return pino({ name, level, base: { name, pid: process.pid } }, pino.destination({ dest: 2, sync: false }));
}
