/** Runs a task for each item, at most `lanes` of them at once; returns the results in the order of the items. */
export async function inLanes<Item, Value>(
  items: readonly Item[],
  lanes: number,
  task: (item: Item, index: number) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) values[index] = await task(item, index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return values;
}
