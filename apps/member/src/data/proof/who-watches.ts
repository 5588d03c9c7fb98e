import {
  COSIGNATURE_TYPE,
  formatVerifierKey,
  openCheckpoint,
  parseVerifierKey,
  type LogReader,
  type VerifierKey,
  type VerifierPolicy,
} from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverClock } from "../../shared/server-clock.ts";
import { publicLog } from "./log-reader.ts";
import { pinnedKeys } from "./pinned-keys.ts";

/** A witness whose signature the house needs before it publishes anything. */
export interface Watcher {
  readonly name: string;
  /** The verifier key, as the witness's own program shows it to whoever runs it. */
  readonly key: string;
  /** When it signed what is published now, by its own signature as checked here; null if it didn't. */
  readonly signedAt: number | null;
  /** When it last signed, according to the house; null if it never did. */
  readonly toldAt: number | null;
  /** Whether the house names it now. */
  readonly isNamed: boolean;
  /** Whether it is among the keys pinned on this device. */
  readonly isKept: boolean;
}

const AGAIN_MS = 10_000;

export function useWhoWatches(): UseQueryResult<readonly Watcher[]> {
  return useQuery({
    queryKey: ["log", "witnesses"],
    queryFn: async () => {
      const { policy } = await pinnedKeys(publicLog, () => serverClock.now());
      return readWatchers(publicLog, policy);
    },
    staleTime: AGAIN_MS,
    refetchInterval: AGAIN_MS,
    retry: false,
    meta: { quiet: true },
  });
}

/** Returns all witnesses that the house names, then those that only this device knows. */
export async function readWatchers(log: LogReader, policy: VerifierPolicy): Promise<readonly Watcher[]> {
  const [note, named] = [await log.read("checkpoint"), readNamed(await log.read("witnesses"))];
  const kept = new Set(policy.witnessKeys.map(formatVerifierKey));
  const others = policy.witnessKeys.filter((key) => !named.some((each) => each.key === formatVerifierKey(key)));
  const witnessKeys = [...named.map(({ verifier }) => verifier), ...others];
  // The pinned keys come first, so that the house can't take over a witness's signature under another name of its key.
  const asked = { ...policy, witnessKeys: [...policy.witnessKeys, ...witnessKeys] };
  const opened = note === null ? null : openCheckpoint(new TextDecoder().decode(note), asked);
  const signed = new Map(
    (opened?.ok === true ? opened.witnesses : []).map(({ key, time }) => [formatVerifierKey(key), time ?? 0n]),
  );
  return witnessKeys.map((verifier) => {
    const key = formatVerifierKey(verifier);
    const time = signed.get(key);
    const told = named.find((each) => each.key === key);
    return {
      name: verifier.name,
      key,
      signedAt: time === undefined ? null : Number(time) * 1000,
      toldAt: told?.at ?? null,
      isNamed: told !== undefined,
      isKept: kept.has(key),
    };
  });
}

interface Named {
  readonly key: string;
  readonly verifier: VerifierKey;
  readonly at: number | null;
}

/** Parses the list of witnesses. Throws if it is malformed: then nothing is shown about witnesses. */
function readNamed(bytes: Uint8Array | null): readonly Named[] {
  const told: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
  const list = typeof told === "object" && told !== null && "witnesses" in told ? told.witnesses : null;
  if (!Array.isArray(list)) throw new Error("the log does not say who watches it");
  return list.map((each: unknown) => {
    const { key, at } = (each ?? {}) as { key?: unknown; at?: unknown };
    const verifier = typeof key === "string" ? parseVerifierKey(key) : null;
    if (verifier?.type !== COSIGNATURE_TYPE) throw new Error("the log names a witness without its key");
    return { key: formatVerifierKey(verifier), verifier, at: typeof at === "number" ? at : null };
  });
}
