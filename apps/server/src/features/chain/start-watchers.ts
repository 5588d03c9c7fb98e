import type { IdSource } from "@fairtick/domain";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import type { Context } from "../../platform/context.ts";
import { ChainAlarm } from "./chain-alarm.ts";
import { readAddresses } from "./chain-rows.ts";
import { openIncident } from "./incidents.ts";
import { openNode } from "./node.ts";
import { rescan } from "./rescan.ts";
import type { WatchParts } from "./watch-parts.ts";
import { newMemory, watchRound } from "./watch-round.ts";

const EVERY_MS = 2_000;
const ALARM_WAIT_MS = 30_000;
/** How often the newest blocks are read again, from the witness node if there is one. */
const RESCAN_MS = 10 * 60_000;
const COINS_MS = 60_000;
const COINS_AT_ONCE = 50;

export interface ChainWatchers {
  close(): Promise<void>;
}

type WatchContext = Pick<Context, "databases" | "clock" | "log" | "bus" | "config"> & {
  readonly ids: IdSource;
  /** Called with the reason why a chain can't be read, and with undefined once it can. */
  readonly onChainTrouble?: (chain: string, cause: string | undefined) => void;
};

/**
 * Starts one watcher per configured chain. Two watchers of the same chain do no harm: the cursor lets only one of them
 * through.
 */
export function startChainWatchers(context: WatchContext, everyMs = EVERY_MS): ChainWatchers {
  const watchers = context.config.chains.map((settings) => startWatcher(context, settings, everyMs));
  return {
    async close() {
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}

export function watchParts(context: Omit<WatchContext, "config">, settings: ChainSettings): WatchParts {
  const { databases, clock, log, bus, ids } = context;
  const witness = settings.witnessUrl === null ? null : openNode(settings.witnessUrl, settings.witnessHeaders);
  return { databases, clock, log, bus, ids, settings, node: openNode(settings.url, settings.headers), witness };
}

function startWatcher(context: WatchContext, settings: ChainSettings, everyMs: number): ChainWatchers {
  const parts = watchParts(context, settings);
  const memory = newMemory();
  const { log, clock } = context;
  const ending = Promise.withResolvers<void>();
  const life = { over: false };
  const due = { rescan: clock.elapsedMs() + RESCAN_MS, coins: clock.elapsedMs() + COINS_MS };
  let nextCoin = 0;
  let failing = false;
  const tell = (cause: string | undefined) => context.onChainTrouble?.(settings.chain, cause);

  async function readLessOften(): Promise<void> {
    const elapsed = clock.elapsedMs();
    if (elapsed >= due.rescan) {
      due.rescan = elapsed + RESCAN_MS;
      if (await rescan(parts)) due.rescan = elapsed;
    }
    if (elapsed >= due.coins) {
      due.coins = elapsed + COINS_MS;
      nextCoin = await scanCoins(parts, nextCoin);
    }
  }

  /** Reads what is new and returns how many milliseconds to wait before the next round. */
  async function step(): Promise<number> {
    try {
      const more = await watchRound(parts, memory);
      await readLessOften();
      if (failing) log.info({ chain: settings.chain }, "the chain can be read again");
      failing = false;
      tell(undefined);
      return more ? 0 : everyMs;
    } catch (error) {
      if (life.over) return 0;
      if (error instanceof ChainAlarm) {
        tell(`nothing is read until somebody has looked: ${error.message}`);
        await reportAlarm(parts, error);
        return ALARM_WAIT_MS;
      }
      // Without the error's own words: a node's address may contain its provider's key.
      tell("its node does not answer as it should, so deposits and withdrawals wait");
      // Logged once: a node that is down is asked again in each round.
      if (!failing) log.warn({ err: error, chain: settings.chain }, "the chain cannot be read");
      failing = true;
      return everyMs;
    }
  }

  async function run(): Promise<void> {
    while (!life.over) {
      await waitUnlessEnding(await step(), ending.promise);
    }
  }

  const running = run();
  return {
    async close() {
      life.over = true;
      ending.resolve();
      await running;
    },
  };
}

async function waitUnlessEnding(ms: number, ending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([waited, ending]);
  clearTimeout(timer);
}

async function reportAlarm(parts: WatchParts, alarm: ChainAlarm): Promise<void> {
  const { log, settings } = parts;
  log.fatal({ err: alarm, chain: settings.chain }, "the chain is not read: somebody has to look");
  await raiseAlarm(parts, alarm).catch((failure: unknown) => {
    log.error({ err: failure }, "the chain's alarm could not be kept");
  });
}

async function raiseAlarm({ databases, settings, clock }: WatchParts, alarm: ChainAlarm): Promise<void> {
  const incident = {
    kind: "chain_alarm",
    subject: `${settings.chain}: ${alarm.message}`,
    memberId: null,
    detail: { chain: settings.chain },
  } as const;
  await openIncident(databases.chain, incident, clock.now());
}

/** Looks for the chain's own coin at our addresses, some addresses at a time. Returns where to go on. */
export async function scanCoins(parts: WatchParts, start: number): Promise<number> {
  const { databases, settings, clock, node } = parts;
  const [instance] = await databases.chain.query<{ instance_id: number }>(
    "SELECT instance_id FROM chain_instances WHERE chain = $1 AND ended_at IS NULL",
    [settings.chain],
  );
  if (instance === undefined) return 0;
  const addresses = [...(await readAddresses(databases.chain, settings.chain))];
  for (const [address, memberId] of addresses.slice(start, start + COINS_AT_ONCE)) {
    const balance = await node.balance(address);
    if (balance === 0n) continue;
    await databases.chain.query(
      `INSERT INTO chain_coins AS c (instance_id, address, member_id, balance, seen_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (instance_id, address) DO UPDATE SET balance = excluded.balance, seen_at = excluded.seen_at
       WHERE c.balance <> excluded.balance`,
      [instance.instance_id, address, memberId, balance, clock.now()],
    );
  }
  const next = start + COINS_AT_ONCE;
  return next < addresses.length ? next : 0;
}
