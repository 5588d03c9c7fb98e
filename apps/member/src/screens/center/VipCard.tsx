import type { UserInfo } from "@fairtick/protocol";
import { ownTimeZone } from "../../data/identity.ts";
import { formatMinute, formatWeekday } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { serverClock } from "../../shared/server-clock.ts";
import { localHours } from "./local-hours.ts";

type Vip = NonNullable<UserInfo["vip"]>;

/** The managers assigned to a verified member, with their actual hours. */
export function VipCard({ vip }: { readonly vip: Vip }) {
  const t = useText();
  return (
    <section className="card center-card" aria-labelledby="center-vip">
      <h2 className="label" id="center-vip">
        {t("center.vip")}
      </h2>
      {vip.manager && <Person post={t("center.manager")} person={vip.manager} />}
      {vip.analyst && <Person post={t("center.analyst")} person={vip.analyst} />}
      <p className="note soft">{t("center.vipRule")}</p>
      <p className="note soft">{t("center.vipNote")}</p>
    </section>
  );
}

function Person({ post, person }: { readonly post: string; readonly person: NonNullable<Vip["manager"]> }) {
  const t = useText();
  const hours = localHours(person.hours, serverClock.now(), ownTimeZone());
  return (
    <div>
      <span className="note soft block">{post}</span>
      <span className="block">{person.name}</span>
      {hours === "always" && <span className="label">{t("center.always")}</span>}
      {typeof hours !== "string" &&
        hours?.map(({ days, from, to }) => (
          <span className="label block" key={from}>
            {days.map(([first, last]) => weekdays(first, last)).join(", ")} {formatMinute(from)}–{formatMinute(to)}
          </span>
        ))}
    </div>
  );
}

function weekdays(first: number, last: number): string {
  return first === last ? formatWeekday(first) : `${formatWeekday(first)}–${formatWeekday(last)}`;
}
