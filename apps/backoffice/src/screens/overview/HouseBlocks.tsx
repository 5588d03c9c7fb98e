import { count, money, signed } from "../../shared/format.ts";
import { Block } from "./Block.tsx";
import { addAmounts, type Overview, shareOf } from "./overview.ts";

/** From this share on, a limit is close: amber, and red once it is reached. */
const CLOSE_PERCENT = 75;
const PRODUCTS_SHOWN = 7;

function levelOf(percent: number): "reached" | "close" | undefined {
  if (percent >= 100) return "reached";
  return percent >= CLOSE_PERCENT ? "close" : undefined;
}

/** What running orders would win, by product and direction, against each product's limit. */
export function Exposure({ exposure }: { readonly exposure: NonNullable<Overview["exposure"]> }) {
  const rows = exposure.instruments
    .map((each) => ({ ...each, sum: addAmounts([each.up, each.down, each.sealed]) }))
    .toSorted((a, b) => Number(b.sum) - Number(a.sum));
  return (
    <Block
      title="Exposure"
      about={`Real wallets: ${money(exposure.total)} of ${money(exposure.totalMax)}`}
      link={{ to: "#/exposure", words: "Exposure" }}
    >
      <ul className="bars">
        {rows.slice(0, PRODUCTS_SHOWN).map(({ symbol, name, up, down, sealed, max, sum }) => (
          <li key={symbol} data-level={levelOf(shareOf(sum, max))}>
            <span>{name}</span>
            <span className="unseen">
              Up {money(up)}, down {money(down)}, sealed {money(sealed)}, together
            </span>
            <span className="exposure-bar" aria-hidden="true">
              <i className="side-up" style={{ width: `${shareOf(up, max)}%` }} />
              <i className="side-down" style={{ width: `${shareOf(down, max)}%` }} />
              <i className="side-sealed" style={{ width: `${shareOf(sealed, max)}%` }} />
              <b className="mark" />
            </span>
            <strong>{money(sum)}</strong>
          </li>
        ))}
      </ul>
      <p className="legend note soft">
        <span className="side-up">Up</span>
        <span className="side-down">Down</span>
        <span className="side-sealed">Sealed</span>
        <span>The bar is the product’s limit, the mark 75% of it.</span>
      </p>
    </Block>
  );
}

/** The house's result of today, next to what chance alone would give. */
export function HouseResult({ result }: { readonly result: Overview["result"] }) {
  if (result === null || result.orders === 0) {
    return (
      <Block title="House result" about="Since 00:00 UTC" link={{ to: "#/fairness", words: "Fairness" }}>
        <p className="note soft">No settled orders of real wallets today.</p>
      </Block>
    );
  }
  const { actual, expected, from, to, orders } = result;
  const isInside = Number(actual) >= Number(from) && Number(actual) <= Number(to);
  return (
    <Block
      title="House result"
      about={`Since 00:00 UTC, ${count(orders)} real orders`}
      link={{ to: "#/fairness", words: "Fairness" }}
    >
      <dl className="figures">
        <div>
          <dt>Actual</dt>
          <dd>{signed(actual)}</dd>
        </div>
        <div>
          <dt>Expected</dt>
          <dd>{signed(expected)}</dd>
        </div>
        <div>
          <dt>99.9% band</dt>
          <dd>
            {signed(from)} to {signed(to)}
          </dd>
        </div>
      </dl>
      <Band actual={Number(actual)} expected={Number(expected)} from={Number(from)} to={Number(to)} />
      <p className="note soft" data-level={isInside ? undefined : "reached"}>
        {isInside ? "Inside the band of chance." : "Outside the band of chance. Check the market and the log."}
      </p>
    </Block>
  );
}

/** Draws the band with the expected and the actual result on one scale. */
function Band({
  actual,
  expected,
  from,
  to,
}: {
  readonly actual: number;
  readonly expected: number;
  readonly from: number;
  readonly to: number;
}) {
  const [low, high] = [Math.min(from, actual), Math.max(to, actual)];
  const span = high - low || 1;
  const place = (value: number) => `${6 + ((value - low) / span) * 88}%`;
  return (
    <div className="band" aria-hidden="true">
      <i className="range" style={{ insetInlineStart: place(from), insetInlineEnd: `calc(100% - ${place(to)})` }} />
      <i className="expected" style={{ insetInlineStart: place(expected) }} />
      <i className="actual" style={{ insetInlineStart: place(actual) }} />
    </div>
  );
}
