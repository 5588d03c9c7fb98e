import type { Instrument } from "@fairtick/protocol";
import { IfFresh, LivePrice, TodayChange } from "../../../components/market/live-figures.tsx";
import { useText } from "../../../shared/i18n.ts";

/** The live price in its largest size, and today's change. */
export function PriceHead({ instrument }: { readonly instrument: Instrument }) {
  const t = useText();
  return (
    <section className="order-head">
      <p>
        <LivePrice instrument={instrument} pace="frame" className="price" />
      </p>
      <div className="end">
        <IfFresh instrument={instrument}>
          <p className="note soft">{t("order.today")}</p>
          <p>
            <TodayChange instrument={instrument} />
          </p>
        </IfFresh>
      </div>
    </section>
  );
}
