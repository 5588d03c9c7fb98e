/** Returns a function that runs one task of each key at a time, in order of arrival. Different keys don't wait for each other. */
export function createTurns(): <Value>(key: string, task: () => Promise<Value>) => Promise<Value> {
  const newest = new Map<string, Promise<void>>();
  return async (key, task) => {
    const before = newest.get(key);
    const mine = Promise.withResolvers<void>();
    newest.set(key, mine.promise);
    try {
      await before;
      return await task();
    } finally {
      if (newest.get(key) === mine.promise) newest.delete(key);
      mine.resolve();
    }
  };
}

/** Returns a function that runs at most `max` tasks at once. Others wait in order of arrival. */
export function createLimiter(max: number): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // Pass the place directly to the next task, so that no newcomer can take it in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
