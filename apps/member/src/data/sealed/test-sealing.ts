import { takeHead } from "./heads.ts";

let slots = 0;

/** Brings a current signed head, as the stream does with prices. Without one nothing can be sealed. */
export function bringHead(at = Date.now()): void {
  slots += 1;
  const head = { k: slots, hash: "ab".repeat(32), signature: null };
  takeHead({ t: "ticks", now: at, d: [["EURUSD", slots, at, "1.08500"]], head });
}

/** Returns the server's answer to `device/add`; null for another call. */
export function answerDevice(path: string): Response | null {
  if (path !== "/client/device/add") return null;
  return Response.json({ code: 200, msg: "", data: { deviceId: "dev_1" } });
}
