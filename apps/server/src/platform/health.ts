/** What keeps a process from being ready, by part: `/health/ready` answers 503 while any part waits. */
export interface Health {
  /** `reason` in a few words while the part is not ready; undefined once it is. */
  set(part: string, reason: string | undefined): void;
  ready(): boolean;
  /** Part → reason, of those not ready. */
  waiting(): Readonly<Record<string, string>>;
}

export function createHealth(parts: readonly string[] = []): Health {
  const waiting = new Map<string, string>(parts.map((part) => [part, "starting"]));
  return {
    set(part, reason) {
      if (reason === undefined) waiting.delete(part);
      else waiting.set(part, reason);
    },
    ready: () => waiting.size === 0,
    waiting: () => Object.fromEntries(waiting),
  };
}
