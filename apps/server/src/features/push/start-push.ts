import type { Agent } from "node:https";
import type { LanguageCode } from "@fairtick/i18n/server";
import type { Alert, Order } from "@fairtick/protocol";
import webPush from "web-push";
import type { BusEvents } from "../../platform/bus.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { startRounds } from "../../platform/rounds.ts";
import { issueFreezeToken } from "../security-notices/index.ts";
import { claimMessages, forgetOldClaims } from "./claim-messages.ts";
import { Listeners } from "./listeners.ts";
import { noteOfAlert, noteOfOrder, noteOfWarning, type PushNote } from "./push-words.ts";
import type { VapidKeys } from "./vapid-keys.ts";

export interface PushPosts {
  readonly keys: VapidKeys;
  /** Connections to push services. */
  readonly agent: Agent;
  readonly nameOf: (symbol: string) => string;
  readonly readAlerts: Read<"alert", Alert>;
  readonly readOrders: (
    members: readonly bigint[],
    ids: readonly bigint[],
  ) => Promise<readonly { readonly memberId: bigint; readonly orderId: bigint; readonly order: Order }[]>;
  readonly readWarnings: (messageIds: readonly bigint[]) => Promise<readonly WarningToPush[]>;
}

/** A warning to send to its member's browsers. */
export interface WarningToPush {
  readonly memberId: bigint;
  readonly messageId: bigint;
  readonly sentAt: bigint;
  readonly titleIn: (lang: LanguageCode) => string;
}

type Read<Name extends string, Value> = (
  members: readonly bigint[],
  ids: readonly bigint[],
) => Promise<readonly ({ readonly memberId: bigint } & Readonly<Record<Name, Value>>)[]>;

interface Recipient {
  readonly endpoint: string;
  readonly member_id: bigint;
  readonly p256dh: string;
  readonly auth: string;
  readonly language: LanguageCode;
}

type PushContext = Pick<Context, "databases" | "bus" | "clock" | "log" | "config">;

/** Returns whom a push service may contact about us: an https address or a mail address. */
function subjectOf({ publicUrl, mailFrom }: Context["config"]): string {
  if (publicUrl.startsWith("https:")) return publicUrl;
  return `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
}

/** How long a push service keeps a note for a browser that is offline, in seconds. Older news is of no use. */
const TTL_SECONDS = 3_600;
const TIMEOUT_MS = 10_000;
/** The most notes to queue. Further ones are dropped, since the app shows everything anyway. */
const WAITING_MAX = 1_000;
/** A session that ended this shortly before a warning was probably ended by the same event. */
const JUST_ENDED_MS = 60_000n;
const FORGET_EVERY_MS = 3_600_000;

/**
 * Sends fired alerts and settled orders to the browsers of members who turned notifications on. With several servers,
 * the one that claims a message first sends it. Sending starts after the commit of the event. A lost message does no
 * harm, since the app reads the tables.
 */
export function startPush(context: PushContext, posts: PushPosts) {
  const { databases, bus, log } = context;
  const listeners = new Listeners(context);
  const tasks = createTasks(context, posts, listeners);
  let waiting = 0;
  let work: Promise<void> = Promise.resolve();

  /** Runs tasks one after another, in the order in which they came. */
  function queue(task: () => Promise<void>): void {
    if (waiting >= WAITING_MAX) return;
    waiting += 1;
    work = work
      .then(task)
      .catch((error: unknown) => log.warn({ err: error }, "messages to browsers could not be sent"))
      .finally(() => {
        waiting -= 1;
      });
  }

  const stops = [
    bus.subscribe("listeners", () => listeners.changed()),
    bus.subscribe("alerts", (event) => queue(() => tasks.alerts(event))),
    bus.subscribe("warnings", (event) => queue(() => tasks.warnings(event))),
    bus.subscribe("orders", (event) => {
      // Thousands of orders settle each second, and few members listen, so drop the others' events at once. If the list
      // of listeners is out of date, it is read again before an event is dropped.
      if (!listeners.surelyNone(event.members)) queue(() => tasks.orders(event));
    }),
  ];
  const forgetting = startRounds({ log, everyMs: FORGET_EVERY_MS, failed: "old claims were not forgotten" }, () =>
    forgetOldClaims(databases.jobs),
  );
  return {
    /** Resolves once everything announced so far was sent or refused. */
    drained: () => work,
    async stop() {
      for (const stop of stops) stop();
      await forgetting.stop();
      await work;
      posts.agent.destroy();
    },
  };
}

/** Sends a note to all of a member's browsers, each in its language. */
type Tell = (memberId: bigint, noteIn: (lang: LanguageCode) => PushNote | null, since?: bigint | null) => Promise<void>;

function createTell({ databases, log, clock, config }: PushContext, posts: PushPosts): Tell {
  const parts = {
    databases,
    log,
    vapidDetails: { subject: subjectOf(config), ...posts.keys },
    agent: posts.agent,
  };
  return async (memberId, noteIn, since = null) => {
    const recipients = await recipientsOf(databases.jobs, memberId, clock.now(), since);
    await Promise.all(
      recipients.map(async (recipient) => {
        const note = noteIn(recipient.language);
        if (note !== null) await send(recipient, note, parts);
      }),
    );
  };
}

/** Creates the handlers of each kind of event: find who listens, claim the message, send it. */
function createTasks(context: PushContext, posts: PushPosts, listeners: Listeners) {
  const { jobs } = context.databases;
  const tell = createTell(context, posts);
  return {
    async alerts({ members, alertIds }: BusEvents["alerts"]): Promise<void> {
      const [who, which] = await listeners.among(members, alertIds);
      const mine = await claimMessages(jobs, "alert", which);
      const places = which.flatMap((id, place) => (mine.has(id) ? [place] : []));
      if (places.length === 0) return;
      const found = await posts.readAlerts(
        places.map((place) => who[place] ?? 0n),
        places.map((place) => which[place] ?? 0n),
      );
      for (const { memberId, alert } of found)
        await tell(memberId, (lang) => noteOfAlert(lang, alert, posts.nameOf(alert.symbol)));
    },
    async warnings({ members, messageIds }: BusEvents["warnings"]): Promise<void> {
      const [, which] = await listeners.among(members, messageIds);
      const mine = await claimMessages(jobs, "security", which);
      if (mine.size === 0) return;
      for (const { memberId, messageId, sentAt, titleIn } of await posts.readWarnings([...mine])) {
        const token = await issueFreezeToken(jobs, memberId);
        // Include sessions that have just ended, because the event itself may have ended them, as a reset does.
        const since = sentAt - JUST_ENDED_MS;
        await tell(memberId, (lang) => noteOfWarning(lang, titleIn(lang), `warning-${messageId}`, token), since);
      }
    },
    async orders({ members, orderIds }: BusEvents["orders"]): Promise<void> {
      const [who, which] = await listeners.among(members, orderIds);
      if (who.length === 0) return;
      const settled = (await posts.readOrders(who, which)).filter(({ order }) => order.state === "settled");
      const mine = await claimMessages(
        jobs,
        "order",
        settled.map(({ orderId }) => orderId),
      );
      for (const { memberId, orderId, order } of settled)
        if (mine.has(orderId)) await tell(memberId, (lang) => noteOfOrder(lang, order, posts.nameOf(order.symbol)));
    },
  };
}

interface SendParts extends Pick<Context, "databases" | "log"> {
  readonly vapidDetails: VapidKeys & { readonly subject: string };
  readonly agent: Agent;
}

/** Reads a member's browsers. With `since` (in ms), also those whose session ended after that. */
function recipientsOf(
  db: Queryable,
  memberId: bigint,
  now: bigint,
  since: bigint | null,
): Promise<readonly Recipient[]> {
  return db.query<Recipient>(
    `SELECT p.endpoint, p.member_id, p.p256dh, p.auth, m.language
     FROM push_subscriptions p JOIN sessions s USING (session_id) JOIN members m ON m.member_id = p.member_id
     WHERE p.member_id = $1 AND (s.ended_at IS NULL OR s.ended_at > to_timestamp($3::numeric / 1000))
       AND s.expires_at > to_timestamp($2::numeric / 1000) AND m.settings -> 'notifications' = 'true'`,
    [memberId, now, since],
  );
}

async function send(
  { endpoint, p256dh, auth }: Recipient,
  note: PushNote,
  { databases, log, vapidDetails, agent }: SendParts,
): Promise<void> {
  try {
    await webPush.sendNotification({ endpoint, keys: { p256dh, auth } }, JSON.stringify(note), {
      vapidDetails,
      TTL: TTL_SECONDS,
      timeout: TIMEOUT_MS,
      agent,
    });
  } catch (error) {
    const status = error instanceof webPush.WebPushError ? error.statusCode : null;
    // The browser cancelled its subscription, or was removed.
    if (status === 404 || status === 410)
      await databases.jobs.query("DELETE FROM push_subscriptions WHERE endpoint = $1", [endpoint]);
    else log.info({ err: error, service: new URL(endpoint).host }, "a push service refused a message");
  }
}
