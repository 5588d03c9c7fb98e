import type { Order } from "@fairtick/protocol";
import { sumOf } from "../../components/orders/order-figures.ts";
import { formatGain } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

const WIDTH = 400;
const HEIGHT = 100;

/**
 * A step line of the running result after each settled order, oldest first, with a zero line. Steps are evenly spaced.
 */
export function ResultSteps({ orders }: { readonly orders: readonly Order[] }) {
  const t = useText();
  const sums = runningSums(orders);
  const values = [0, ...sums.map(Number)];
  const top = Math.max(...values);
  const span = top - Math.min(...values) || 1;
  const y = (value: number) => (4 + ((top - value) / span) * (HEIGHT - 8)).toFixed(1);
  const step = WIDTH / values.length;
  const [first = 0, ...others] = values;
  const line = others.map((value, place) => `H${((place + 1) * step).toFixed(1)}V${y(value)}`).join("");
  const path = `M0 ${y(first)}${line}H${WIDTH}`;
  const last = sums.at(-1) ?? "0.00";
  return (
    <figure
      className="result-steps"
      aria-label={t("desk.stepsLabel", { count: orders.length, result: formatGain(last) })}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="steps-zero" d={`M0 ${y(0)}H${WIDTH}`} />
        <path className="steps-area" d={`${path}V${y(0)}H0Z`} />
        <path className="steps-line" d={path} />
      </svg>
      {edgesOf(sums).map(({ place, sum }) => (
        <span
          key={place}
          className={Number(sum) < 0 ? "steps-mark below figure" : "steps-mark figure"}
          style={{ left: `${((place + 1.5) / values.length) * 100}%`, top: `${y(Number(sum))}%` }}
          aria-hidden="true"
        >
          {formatGain(sum)}
        </span>
      ))}
    </figure>
  );
}

/** Returns the highest gain and the deepest loss on the way, as far as there was one, with their first places. */
export function edgesOf(sums: readonly string[]): readonly { readonly place: number; readonly sum: string }[] {
  const values = sums.map(Number);
  const best = Math.max(0, ...values);
  const worst = Math.min(0, ...values);
  return [best, worst].flatMap((edge) => {
    const place = edge === 0 ? -1 : values.indexOf(edge);
    const sum = sums[place];
    return sum === undefined ? [] : [{ place, sum }];
  });
}

/** Returns the running sum after each order, in order of settlement. */
export function runningSums(orders: readonly Order[]): readonly string[] {
  const inTurn = orders.toSorted((one, other) => (one.settledAt ?? 0) - (other.settledAt ?? 0));
  const sums: string[] = [];
  for (const { profit } of inTurn) sums.push(sumOf([sums.at(-1) ?? "0.00", profit ?? "0.00"]));
  return sums;
}
