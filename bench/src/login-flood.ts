import { knownOf, logInWhileFlooded, newOf, p99, type RightLogin } from "../../scripts/attack/login-flood.ts";
import { memberOf } from "../../scripts/attack/member.ts";
import { callerFrom } from "../../scripts/attack/request.ts";
import { startProduct } from "../../scripts/own-product.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { spread } from "./pairs.ts";

/** Measures a member's logins with the right password with and without a flood of wrong ones at both login pages. */
export const loginFlood: Benchmark = { name: "login-flood", run };

const LOGIN_MS_MAX = 1_000;
/** Each device may log in twenty times a minute, and half of 120 logins are on known devices. */
const DEVICES = 6;

function refused(logins: readonly RightLogin[]): number {
  return logins.filter(({ status }) => status !== 200).length;
}

async function run({ quick, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const product = await startProduct();
  try {
    const { base: url, console: consoleUrl, account, password } = product;
    const devices: string[] = [];
    for (let made = 0; made < DEVICES; made += 1) {
      const caller = callerFrom(`127.0.0.${10 + made}`, url);
      devices.push((await memberOf(caller, account, password)).device);
      caller.close();
    }
    const spanMs = quick ? 10_000 : 60_000;
    const flooded = { url, console: consoleUrl, account, password, devices, spanMs };
    const without = await logInWhileFlooded({ ...flooded, isFlooded: false });
    // Wait until the devices may log in twenty times again.
    await new Promise((wake) => setTimeout(wake, 60_000));
    const during = await logInWhileFlooded({ ...flooded, isFlooded: true });
    say(`${during.length - refused(during)} of ${during.length} right logins got in`);
    const figure = (name: string, pick: (logins: readonly RightLogin[]) => RightLogin[]) => ({
      name: `login while both doors are flooded, p99: ${name}`,
      value: p99(pick(during)),
      unit: "ms",
      atMost: LOGIN_MS_MAX,
      baseline: `${Math.round(p99(pick(without)))} ms without the flood`,
      noise: spread(pick(during).map(({ ms }) => ms)),
    });
    return {
      settings: { spanMs, logins: during.length, wrongLoginsPerMinute: 1_000, wrongOperatorLoginsPerMinute: 63 },
      figures: [
        figure("known devices", knownOf),
        figure("new devices", newOf),
        {
          name: "right logins refused in the flood",
          value: refused(during),
          unit: `of ${during.length}`,
          atMost: 0,
          baseline: `${refused(knownOf(during))} of them on known devices; ${refused(without)} without the flood`,
        },
      ],
    };
  } finally {
    await product.stop();
  }
}
