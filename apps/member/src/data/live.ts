import { createStream, type Stream } from "@fairtick/client";
import type { StreamMessage } from "@fairtick/protocol";
import { currentLanguage } from "../shared/i18n.ts";
import { serverClock } from "../shared/server-clock.ts";
import { takeSummary } from "./account.ts";
import { setOnline, setStreamUp } from "./connection.ts";
import { takeDeposit } from "./deposits.ts";
import { noteEnding } from "./endings.ts";
import { takeIdentity } from "./identity.ts";
import { takeInstrument } from "./instruments.ts";
import { forgetNotice, refreshNotices } from "./notices.ts";
import { takeOrder } from "./orders.ts";
import { prices } from "./prices.ts";
import { keys, queryClient } from "./queries.ts";
import { takeHead } from "./sealed/heads.ts";
import { heardTyping, takeSupport, takeSupportRead } from "./support.ts";
import { endSession, sessionToken, watchSession } from "./session.ts";
import { takeWithdrawal } from "./withdrawals.ts";

/** An alert is told up to this long after the tick that reached its price. */
const ALERT_TOLD_WITHIN_MS = 5_000;

/** When prices last came, by the server's clock; null before the first. */
let lastTicksAt: number | null = null;
/** Since when (the server's time) alerts may have been missed; null while the connection tells them. */
let deafSince: number | null = null;

/** Reads the alerts of the time without a connection. Read before the subscription counts, one could still slip through. */
function tellMissedAlerts(): void {
  const since = deafSince;
  deafSince = null;
  if (since === null || sessionToken() === null) return;
  // Whoever looks at the alerts sees them anyway, and their failure is reported there.
  import("./alerts.ts")
    .then(({ takeMissedAlerts }) => takeMissedAlerts(since))
    .catch(() => {
      // Told with the next connection.
      deafSince ??= since;
    });
}

/** Passes each stream message to the module that stores its data, or has the affected queries reloaded. */
// oxlint-disable-next-line complexity -- a plain list, one line for each kind of message
export function takeMessage(message: StreamMessage): void {
  switch (message.t) {
    case "ticks":
      for (const [symbol, seq, at, price] of message.d) prices.take(symbol, { seq, at, price });
      takeHead(message);
      lastTicksAt = serverClock.now();
      return;
    case "order":
      takeOrder(message.d);
      noteEnding(message.d);
      return;
    case "account":
      takeSummary(message.d);
      return;
    case "instrument":
      takeInstrument(message.d);
      return;
    case "deposit":
      takeDeposit(message.d);
      return;
    case "support":
      takeSupport(message.d);
      return;
    case "supportTyping":
      heardTyping();
      return;
    case "supportRead":
      takeSupportRead(message.from, serverClock.now());
      return;
    case "announcement":
    case "message":
      void refreshNotices();
      return;
    case "announcementGone":
      void forgetNotice(message.noticeId);
      return;
    case "identity":
      takeIdentity(message.d);
      return;
    case "withdrawal":
      takeWithdrawal(message.d);
      return;
    case "alert":
      void import("./alerts.ts").then(({ takeAlert }) => takeAlert(message.d));
      return;
    case "ok":
      if (message.op === "subscribe") tellMissedAlerts();
      return;
    case "error":
  }
}

/** Reloads everything that the stream may have missed while it was down. */
function catchUp(): void {
  // A page that never heard anything has missed nothing: old alerts are no news to it.
  if (lastTicksAt !== null) deafSince ??= lastTicksAt - ALERT_TOLD_WITHIN_MS;
  void queryClient.invalidateQueries({ queryKey: keys.instruments });
  void queryClient.invalidateQueries({ queryKey: keys.member });
  void queryClient.invalidateQueries({ queryKey: keys.notices });
}

/** Keeps prices, orders and the account up to date for as long as the page lives. */
export function goLive(): Stream {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const stream = createStream({
    url: `${scheme}://${location.host}/client/stream`,
    token: sessionToken,
    lang: () => currentLanguage().lang,
    clock: serverClock,
    onMessage: takeMessage,
    // Lists can skip a missing tick, because the next one is newer. Charts notice and load it.
    onGap: (gap) => {
      if (gap.reason === "reconnected") catchUp();
    },
    onConnected: setStreamUp,
    onSessionEnd: endSession,
  });
  stream.subscribe([
    "tick:*",
    "instruments",
    "orders",
    "account",
    "deposits",
    "withdrawals",
    "announcements",
    "messages",
    "support",
    "identity",
    "alerts",
  ]);
  let token = sessionToken();
  watchSession(() => {
    if (sessionToken() === token) return;
    token = sessionToken();
    stream.tokenChanged();
  });
  const retry = () => {
    setOnline(navigator.onLine);
    if (navigator.onLine && document.visibilityState === "visible") stream.retryNow();
  };
  addEventListener("online", retry);
  addEventListener("offline", retry);
  document.addEventListener("visibilitychange", retry);
  return stream;
}
