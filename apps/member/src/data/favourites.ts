import type { marketFavourites, marketSetFavourite } from "@fairtick/protocol";
import { useQuery } from "@tanstack/react-query";
import { readStoredJson, removeStored, store } from "../shared/storage.ts";
import { reportFailure } from "./failures.ts";
import { storedMemberId } from "./member-id.ts";
import { keys, queryClient } from "./queries.ts";
import { sessionToken, useLoggedIn } from "./session.ts";
import { ask } from "./transport.ts";

/** Symbols of the member's favourites; empty for a visitor. */
export function useFavourites(): readonly string[] {
  const loggedIn = useLoggedIn();
  const query = useQuery({
    queryKey: keys.favourites,
    queryFn: async () => {
      const known = await ask<typeof marketFavourites>("market/favourites", {});
      sendKept();
      return [...wishes].reduce((list, [symbol, { on }]) => marked(list, symbol, on), known);
    },
    enabled: loggedIn,
    staleTime: 5 * 60_000,
  });
  return query.data ?? [];
}

function marked(known: readonly string[], symbol: string, on: boolean): string[] {
  const others = known.filter((other) => other !== symbol);
  return on ? [...others, symbol] : others;
}

/** Marks one symbol and leaves the others, which may have changed since. */
function mark(symbol: string, on: boolean): void {
  queryClient.setQueryData<string[]>(keys.favourites, (known = []) => marked(known, symbol, on));
}

/** A choice that is already shown but not yet confirmed, with the session that made it. */
interface Wish {
  readonly on: boolean;
  readonly token: string | null;
}
const wishes = new Map<string, Wish>();
/** Calls run one after another: each answer is the whole list, so an older one must not come last. */
let line: Promise<void> = Promise.resolve();

/**
 * Marks an instrument as favourite at once, and undoes it if the server refuses. If taps come faster than answers,
 * only the last choice is sent. A choice that was still unconfirmed when the page was left is sent again when the app
 * is next opened.
 */
export function setFavourite(symbol: string, on: boolean): Promise<void> {
  mark(symbol, on);
  wishes.set(symbol, { on, token: sessionToken() });
  keepWishes();
  line = line.catch(() => undefined).then(() => sendWish(symbol));
  return line;
}

async function sendWish(symbol: string): Promise<void> {
  const wish = wishes.get(symbol);
  if (wish === undefined) return;
  const { on, token } = wish;
  const isLast = () => wishes.get(symbol) === wish;
  const holds = () => token === sessionToken();
  try {
    const now = holds() ? await ask<typeof marketSetFavourite>("market/setFavourite", { symbol, on }) : null;
    if (now !== null && holds()) queryClient.setQueryData(keys.favourites, now);
  } catch (error) {
    if (isLast() && holds()) mark(symbol, !on);
    reportFailure(error);
  } finally {
    if (isLast()) {
      wishes.delete(symbol);
      keepWishes();
    }
    for (const [other, later] of wishes) if (later.token === sessionToken()) mark(other, later.on);
  }
}

/** Unconfirmed choices as stored for the next page load. */
interface Kept {
  readonly member: string;
  readonly wishes: readonly (readonly [symbol: string, on: boolean])[];
}

function keepWishes(): void {
  if (wishes.size === 0) removeStored("fairtickFavourites");
  else {
    const kept: Kept = { member: storedMemberId(), wishes: [...wishes].map(([symbol, { on }]) => [symbol, on]) };
    store("fairtickFavourites", JSON.stringify(kept));
  }
}

/** Whether stored choices have been read. Done once per page, because later ones are this page's own. */
let isRead = false;

function sendKept(): void {
  if (isRead) return;
  isRead = true;
  const kept = readStoredJson("fairtickFavourites") as Partial<Kept> | null;
  if (kept?.member !== storedMemberId() || !Array.isArray(kept.wishes)) return;
  for (const [symbol, on] of kept.wishes) if (!wishes.has(symbol)) void setFavourite(symbol, on);
}
