import type { Clock, Instant } from "@fairtick/domain";

/** Something that doesn't work as it should. */
export interface Trouble {
  /** `database`, `signer`, `chain test`, … */
  readonly part: string;
  readonly since: Instant;
  /** In words that an operator understands. */
  readonly cause: string;
}

/** The troubles that this process knows of, by part. */
export interface Health {
  /** Sets why a part doesn't work; undefined once it works. */
  set(part: string, cause: string | undefined): void;
  /** Does the same for a part without which no call can be answered. */
  block(part: string, cause: string | undefined): void;
  /** Whether calls can be answered. */
  ready(): boolean;
  troubles(): readonly Trouble[];
}

/** The answer of `/health/ready`. */
export interface HealthReport {
  /** Whether calls can be answered. */
  readonly ready: boolean;
  /** Whether new orders are accepted. */
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

/** Keeps since when each part has been in trouble, even if its cause changes. */
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
