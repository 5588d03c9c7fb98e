import type { Clock, Instant } from "@fairtick/domain";

/** Something that does not work as it should. */
export interface Trouble {
  /** `database`, `signer`, `chain test`, … */
  readonly part: string;
  readonly since: Instant;
  /** In words that an operator understands. */
  readonly cause: string;
}

/** What this process knows to be wrong, by part. */
export interface Health {
  /** `cause` while the part does not work; undefined once it does. */
  set(part: string, cause: string | undefined): void;
  /** As `set`, for a part without which no call can be answered. */
  block(part: string, cause: string | undefined): void;
  /** Whether calls can be answered. */
  ready(): boolean;
  troubles(): readonly Trouble[];
}

/** What `/health/ready` answers. */
export interface HealthReport {
  /** Calls can be answered. */
  readonly ready: boolean;
  /** New orders are taken. */
  readonly accepting: boolean;
  readonly degraded: readonly Trouble[];
}

export function createHealth(clock: Pick<Clock, "now">): Health {
  const troubles = createTroubles(clock);
  const blocking = createTroubles(clock);
  return {
    set: (part, cause) => troubles.set(part, cause),
    block: (part, cause) => blocking.set(part, cause),
    ready: () => blocking.list().length === 0,
    troubles: () => [...blocking.list(), ...troubles.list()],
  };
}

/** Keeps since when each part is in trouble, also while its cause changes. */
export function createTroubles(clock: Pick<Clock, "now">) {
  const troubles = new Map<string, Trouble>();
  return {
    set(part: string, cause: string | undefined): void {
      if (cause === undefined) troubles.delete(part);
      else troubles.set(part, { part, since: troubles.get(part)?.since ?? clock.now(), cause });
    },
    list: (): readonly Trouble[] => [...troubles.values()],
  };
}
