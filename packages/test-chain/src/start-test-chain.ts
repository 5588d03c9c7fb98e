import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Anvil, mine, saveState, startAnvil } from "./anvil.ts";
import { type NodeDoor, openNodeDoor } from "./door.ts";
import { callNode } from "./node-call.ts";
import { deployTokens, STRANGER, type TestTokens, type TestWallet } from "./tokens.ts";

export interface TestChain {
  readonly url: string;
  readonly pid: number;
  readonly chainId: number;
  readonly tokens: TestTokens;
  /** A wallet with both kinds of test USDT, and coins for gas. */
  readonly wallet: TestWallet;
  /** Settles when it ends without having been stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface TestChainOptions {
  /** Folder in which the chain is kept. The next start continues it. */
  readonly folder: string;
  readonly port?: number;
  /** Time between blocks while there are transactions. */
  readonly blockMs?: number;
  /** Called if a block couldn't be added or saved. */
  readonly onError: (error: unknown) => void;
}

const BLOCK_MS = 2_000;
/** Longest that a stop waits for a running step. */
const STEP_MS_MAX = 500;
/**
 * Number of blocks mined after the last one with a transaction, at the same pace, so that it gets its confirmations.
 */
const BLOCKS_AFTER = 12;
/** Time between blocks of an idle chain. It is long, because the whole state is written with each block. */
const REST_MS = 60_000;

/** Starts the sandbox's own chain: anvil with both tokens on it, and a miner that saves the chain after every block. */
export async function startTestChain(options: TestChainOptions): Promise<TestChain> {
  const { folder, port, blockMs = BLOCK_MS, onError } = options;
  const anvil = await startAnvil({ folder, host: hiddenHost() });
  let door: NodeDoor | undefined;
  try {
    const opened = await openNodeDoor(anvil.url, port);
    door = opened;
    const ended = anvil.ended.then(() => opened.close());
    const tokens = await deployTokens(anvil.url);
    await saveState(anvil.url, folder);
    const miner = startMiner(anvil, folder, blockMs, onError);
    // Another chain may soon answer at the same address, with a miner of its own.
    void anvil.ended.then(() => miner.stop());
    return {
      url: opened.url,
      pid: anvil.pid,
      chainId: Number(await callNode(anvil.url, "eth_chainId")),
      tokens,
      wallet: STRANGER,
      ended,
      async stop() {
        // A node that no longer answers must not delay the shutdown.
        await Promise.race([miner.stop(), sleep(STEP_MS_MAX, undefined, { ref: false })]);
        await anvil.stop();
        await ended;
      },
    };
  } catch (error) {
    await anvil.stop();
    await door?.close();
    throw error;
  }
}

/**
 * Returns a loopback address that a web page can't guess, on systems with a whole loopback network. The node has no
 * authentication, so anyone who finds it can do anything with the sandbox's chain.
 */
function hiddenHost(): string {
  return process.platform === "linux" ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : "127.0.0.1";
}

function startMiner(anvil: Anvil, folder: string, blockMs: number, onError: (error: unknown) => void) {
  let blocksDue = BLOCKS_AFTER;
  let restedMs = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function step(): Promise<void> {
    const pool = (await callNode(anvil.url, "txpool_status")) as { pending: string };
    if (Number(pool.pending) > 0) blocksDue = BLOCKS_AFTER + 1;
    restedMs += blockMs;
    if (blocksDue <= 0 && restedMs < REST_MS) return;
    await mine(anvil.url);
    // Saved after every block. A chain that went back by more than its confirmations would undo credited deposits.
    await saveState(anvil.url, folder);
    blocksDue = Math.max(0, blocksDue - 1);
    restedMs = 0;
  }

  let running: Promise<void> = Promise.resolve();
  const scheduleStep = () => {
    timer = setTimeout(() => {
      running = step()
        .catch((error: unknown) => {
          if (!stopped) onError(error);
        })
        .then(() => {
          if (!stopped) scheduleStep();
        });
    }, blockMs);
  };
  scheduleStep();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
