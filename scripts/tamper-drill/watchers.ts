import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import type { Order } from "@fairtick/protocol";
import { type LogReader, parsePolicy, type VerifierPolicy } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import type { Kept, Member } from "./member.ts";
import type { Product } from "../own-product.ts";

// The bundler makes an address of this name for a thread. Here there is none, so the app's code makes its checks without one.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith("?worker&url")
      ? { url: "data:text/javascript,export default ''", shortCircuit: true }
      : next(specifier, context),
});
const { verifyOrder } = await import("../../apps/member/src/data/proof/verify-order.ts");

/** Who noticed, and the sentence that they read. */
export interface Notice {
  readonly who: string;
  readonly sentence: string;
}

/** All that stands outside the attacker's reach, and looks. None of them knows what the attack was. */
export interface Watchers {
  readonly policy: VerifierPolicy;
  readonly log: LogReader;
  /** Takes the log as it stands for what was seen. Throws where it does not hold. */
  remember(): Promise<void>;
  /** The checkpoint that was remembered. */
  seen(): string;
  /** Everyone looks once: at that order where there is one, at the log and at the server. */
  look(order: Kept | null): Promise<readonly Notice[]>;
  /** The member's app on an order, with the log as that member is shown it. */
  app(order: Kept, log: LogReader, seen: string | null): Promise<Notice | null>;
}

/** EURUSD's, as its prices are shown. */
const DECIMALS = 6;
const TRY_AGAIN = 503;

export async function openWatchers(product: Product, member: Member): Promise<Watchers> {
  const { base, folder } = product;
  const [url, keys, file] = [`${base}/log`, join(folder, "keys"), join(folder, "receipt.json")];
  const text = (await run(["keys", "--log", url])).lines.join("\n");
  writeFileSync(keys, `${text}\n`);
  const policy = parsePolicy(text);
  const seenFile = join(folder, "seen");
  let seen = "";
  const log: LogReader = {
    async read(path) {
      const answer = await fetch(`${url}/${path}`);
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
    },
  };

  async function command(args: readonly string[], called: string): Promise<readonly Notice[]> {
    const { lines, exitCode } = await run([...args, "--keys", keys]);
    if (exitCode === 0 || exitCode === 2) return [];
    return lines.filter((line) => /^(failed|fault)/.test(line)).map((sentence) => ({ who: called, sentence }));
  }

  async function receipt(order: Kept): Promise<readonly Notice[]> {
    const answer = await member.call("order/receipt", { orderNo: order.orderNo });
    // "Try again in a moment" tells nobody of anything.
    if (answer.status === TRY_AGAIN) return [];
    if (answer.status !== 200 || !("acceptance" in answer.data)) {
      return [{ who: "the member, whose phone keeps the signed acceptance", sentence: answer.said }];
    }
    writeFileSync(file, JSON.stringify(answer.data));
    return command(["verify", file], "`fairtick verify receipt`");
  }

  async function app(order: Kept, shownLog: LogReader, seenBefore: string | null): Promise<Notice | null> {
    const detail = await member.call("order/detail", { orderNo: order.orderNo });
    const answer = await member.call("order/receipt", { orderNo: order.orderNo });
    if (answer.status === TRY_AGAIN) return null;
    if (!("orderNo" in detail.data)) return { who: "member's app", sentence: detail.said };
    const shown = detail.data as unknown as Order;
    const verdict = await verifyOrder(answer.data, {
      hashes: nodeHashes,
      log: shownLog,
      policy,
      seen: seenBefore,
      order: shown,
      decimals: DECIMALS,
      kept: order,
      now: shown.serverTime,
    });
    const failed = shown.state === "settled" ? verdict.checks.find(({ state }) => state === "failed") : undefined;
    return failed === undefined ? null : { who: "member's app", sentence: `${failed.id}: ${failed.why ?? "failed"}` };
  }

  /** One notice for each thing it names, so that what stands already does not hide what is new. */
  async function ready(): Promise<readonly Notice[]> {
    const answer = await fetch(`${base}/health/ready`);
    const { degraded } = (await answer.json()) as { degraded: readonly { part: string; cause: string }[] };
    const sentences = degraded.flatMap(({ part, cause }) => `${part}: ${cause}`.split("; "));
    return sentences.map((sentence) => ({ who: "running server, `/health/ready`", sentence }));
  }

  return {
    policy,
    log,
    async remember() {
      const [notice] = await command(["verify", "--log", url, "--save", seenFile], "`fairtick verify --log`");
      if (notice !== undefined) throw new Error(`the log does not hold: ${notice.sentence}`);
      seen = new TextDecoder().decode((await log.read("checkpoint")) ?? undefined);
    },
    seen: () => seen,
    async look(order) {
      const called = "`fairtick verify --log`";
      const looks = [
        ...(order === null ? [] : await receipt(order)),
        order === null ? null : await app(order, log, seen),
        ...(await command(["verify", "--log", url, "--since", seenFile], called)),
        // From the first entry on, too: what rests on entries before the checkpoint is not examined from it on.
        ...(order === null ? await command(["verify", "--log", url], called) : []),
        ...(await ready()),
      ];
      return looks.filter((each) => each !== null);
    },
    app,
  };
}
