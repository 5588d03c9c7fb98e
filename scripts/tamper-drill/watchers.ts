import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { nodeHashes } from "@fairtick/domain/node";
import type { Order } from "@fairtick/protocol";
import { type LogReader, parsePolicy, type VerifierPolicy } from "@fairtick/transparency";
import { run } from "@fairtick/transparency/cli";
import type { Kept, Member } from "./member.ts";
import type { Product } from "../own-product.ts";

// The bundler resolves this name to a worker thread. There is none here, so the app's code runs its checks without one.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith("?worker&url")
      ? { url: "data:text/javascript,export default ''", shortCircuit: true }
      : next(specifier, context),
});
const { verifyOrder } = await import("../../apps/member/src/data/proof/verify-order.ts");

/** Who noticed, and the sentence they read. */
export interface Notice {
  readonly who: string;
  readonly sentence: string;
}

/** Everyone outside the attacker's reach who can check. None of them knows what the attack was. */
export interface Watchers {
  readonly policy: VerifierPolicy;
  readonly log: LogReader;
  /** For how long an attack is looked at once only the house has noticed it. */
  readonly outsideMs: number;
  /** Takes the log as it stands for what was seen. Throws where it does not hold. */
  remember(): Promise<void>;
  /** Returns the remembered checkpoint. */
  seen(): string;
  /** Makes each watcher check once: the order if there is one, the log and the server. */
  look(order: Kept | null): Promise<readonly Notice[]>;
  /** Runs the member's app on an order, with the log as that member is shown it. */
  app(order: Kept, log: LogReader, seen: string | null): Promise<Notice | null>;
}

/** Decimals of EURUSD's prices. */
const DECIMALS = 6;
const TRY_AGAIN = 503;

/** Pins the keys that the log names now, as a member does at their first contact, and looks by them from then on. */
export async function openWatchers(product: Product, member: Member, outsideMs: number): Promise<Watchers> {
  const text = (await run(["keys", "--log", `${product.base}/log`])).lines.join("\n");
  writeFileSync(join(product.folder, "keys"), `${text}\n`);
  return new OutsideWatchers(product, member, parsePolicy(text), outsideMs);
}

class OutsideWatchers implements Watchers {
  readonly policy: VerifierPolicy;
  readonly log: LogReader;
  readonly outsideMs: number;
  readonly #base: string;
  readonly #folder: string;
  readonly #member: Member;
  #seen = "";

  constructor({ base, folder }: Product, member: Member, policy: VerifierPolicy, outsideMs: number) {
    this.policy = policy;
    this.outsideMs = outsideMs;
    this.log = {
      async read(path) {
        const answer = await fetch(`${base}/log/${path}`);
        return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
      },
    };
    this.#base = base;
    this.#folder = folder;
    this.#member = member;
  }

  async remember(): Promise<void> {
    const [notice] = await this.#verifyLog("--save", this.#fileOf("seen"));
    if (notice !== undefined) throw new Error(`the log doesn't verify: ${notice.sentence}`);
    this.#seen = new TextDecoder().decode((await this.log.read("checkpoint")) ?? undefined);
  }

  seen(): string {
    return this.#seen;
  }

  async look(order: Kept | null): Promise<readonly Notice[]> {
    const looks = [
      ...(order === null ? [] : await this.#verifyReceipt(order)),
      order === null ? null : await this.app(order, this.log, this.#seen),
      ...(await this.#verifyLog("--since", this.#fileOf("seen"))),
      // Verify from the first entry too, because a later start doesn't check what rests on earlier entries.
      ...(order === null ? await this.#verifyLog() : []),
      ...(await this.#askServer()),
    ];
    return looks.filter((each) => each !== null);
  }

  async app(order: Kept, shownLog: LogReader, seenBefore: string | null): Promise<Notice | null> {
    const detail = await this.#member.call("order/detail", { orderNo: order.orderNo });
    const answer = await this.#member.call("order/receipt", { orderNo: order.orderNo });
    if (answer.status === TRY_AGAIN) return null;
    if (!("orderNo" in detail.data)) return { who: "member's app", sentence: detail.said };
    const shown = detail.data as unknown as Order;
    const verdict = await verifyOrder(answer.data, {
      hashes: nodeHashes,
      log: shownLog,
      policy: this.policy,
      seen: seenBefore,
      order: shown,
      decimals: DECIMALS,
      kept: order,
      now: shown.serverTime,
    });
    const failed = shown.state === "settled" ? verdict.checks.find(({ state }) => state === "failed") : undefined;
    return failed === undefined ? null : { who: "member's app", sentence: `${failed.id}: ${failed.why ?? "failed"}` };
  }

  async #verifyReceipt(order: Kept): Promise<readonly Notice[]> {
    const answer = await this.#member.call("order/receipt", { orderNo: order.orderNo });
    // “Try again in a moment” doesn't reveal anything.
    if (answer.status === TRY_AGAIN) return [];
    if (answer.status !== 200 || !("acceptance" in answer.data)) {
      return [{ who: "the member, whose phone keeps the signed acceptance", sentence: answer.said }];
    }
    const file = this.#fileOf("receipt.json");
    writeFileSync(file, JSON.stringify(answer.data));
    return this.#command(["verify", file], "`fairtick verify receipt`");
  }

  #verifyLog(...options: readonly string[]): Promise<readonly Notice[]> {
    return this.#command(["verify", "--log", `${this.#base}/log`, ...options], "`fairtick verify --log`");
  }

  async #command(args: readonly string[], called: string): Promise<readonly Notice[]> {
    const { lines, exitCode } = await run([...args, "--keys", this.#fileOf("keys")]);
    if (exitCode === 0 || exitCode === 2) return [];
    return lines.filter((line) => /^(failed|fault)/.test(line)).map((sentence) => ({ who: called, sentence }));
  }

  /** Returns a separate notice for each degraded part, so that known ones don't hide new ones. */
  async #askServer(): Promise<readonly Notice[]> {
    const answer = await fetch(`${this.#base}/health/ready`);
    const { degraded } = (await answer.json()) as { degraded: readonly { part: string; cause: string }[] };
    const sentences = degraded.flatMap(({ part, cause }) => `${part}: ${cause}`.split("; "));
    return sentences.map((sentence) => ({ who: "running server, `/health/ready`", sentence }));
  }

  #fileOf(name: string): string {
    return join(this.#folder, name);
  }
}
