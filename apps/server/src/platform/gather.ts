import { isConnectionLost } from "./database-errors.ts";

/**
 * Collects single items and processes many at once. Items that arrive while `work` runs wait and are then processed
 * together, up to `itemsMax` at a time.
 *
 * @param work Returns one value for each item, in order. If it fails, each item is tried again alone, so that an item
 *   that can't be processed doesn't affect the others; `work` therefore has to be idempotent. If the connection is
 *   lost, nothing is tried again and the callers get the error.
 */
export function gather<Item, Answer>(
  itemsMax: number,
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      await answer(taken);
    }
    isRunning = false;
  }

  async function answer(taken: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await work(taken.map(({ item }) => item));
      for (const [index, each] of taken.entries()) each.resolve(answers[index] as Answer);
    } catch (error) {
      if (taken.length > 1 && !isConnectionLost(error)) for (const single of taken) await answer([single]);
      else for (const each of taken) each.reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // Runs after this turn's events, so that items that arrive together are processed together.
      setImmediate(() => void run());
    });
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}
