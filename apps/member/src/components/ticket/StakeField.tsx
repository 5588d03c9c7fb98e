import type { Instrument } from "@fairtick/protocol";
import { Stepper } from "@fairtick/ui";
import { formatMoney, typedDecimal } from "../../shared/format.ts";
import { amountWriting } from "../../shared/amount-writing.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { largestStake, stepStake } from "./order-ticket.ts";
import { refusalSentence } from "./refusal-words.ts";
import type { Ticket } from "./use-ticket.ts";
import "./ticket.css";

const USUAL = ["10.00", "50.00", "100.00", "500.00"];

/**
 * The stake: typed, stepped or one of the usual amounts, with its bounds or what is wrong with it. `compact` takes one
 * line; the usual amounts appear below it while the field is focused.
 */
export function StakeField({
  instrument,
  form,
  compact = false,
  availableShown = false,
}: {
  readonly instrument: Instrument;
  readonly form: Pick<Ticket, "ticket" | "plain" | "market" | "errors" | "change">;
  readonly compact?: boolean | undefined;
  /** Whether the available balance is shown nearby, so that the note has only the bounds. */
  readonly availableShown?: boolean | undefined;
}) {
  const t = useText();
  const { ticket, plain, market, errors, change } = form;
  const wrong = errors.find(({ field }) => field === "stake");
  const bounds = { min: wholeOrCents(instrument.minStake), max: wholeOrCents(instrument.maxStake) };
  const most = largestStake(market) ?? instrument.minStake;
  return (
    <div className={compact ? "ticket-stake compact" : "ticket-stake"}>
      <Stepper
        label={t("order.amount")}
        writing={amountWriting()}
        value={ticket.stake}
        onInput={(stake) => {
          change({ stake });
        }}
        onStep={(toward) => {
          change({ stake: typedDecimal(stepStake(plain.stake, toward, market)) });
        }}
        lessLabel={t("order.less")}
        moreLabel={t("order.more")}
        note={noteOf(
          t,
          { ...bounds, available: market.available === null || availableShown ? null : formatMoney(market.available) },
          compact,
        )}
        wrong={wrong ? refusalSentence(t, wrong, instrument.decimals) : undefined}
        usual={[
          ...USUAL.map((value) => ({ label: wholeOrCents(value), value: typedDecimal(value) })),
          { label: t("order.max"), value: typedDecimal(most) },
        ]}
      />
    </div>
  );
}

/** Returns bounds and available balance; in compact form only the balance, or the bounds if it isn't known. */
function noteOf(
  t: Text,
  { available, ...bounds }: { readonly min: string; readonly max: string; readonly available: string | null },
  compact: boolean,
): string {
  if (available === null) return t("order.amountBoundsVisitor", bounds);
  return compact ? `${t("order.available")} ${available}` : t("order.amountBounds", { ...bounds, available });
}

/** Formats `1.00` as 1, `1000.00` as 1,000, `2.50` as 2.50. */
function wholeOrCents(amount: string): string {
  const written = formatMoney(amount);
  return amount.endsWith(".00") ? written.slice(0, -3) : written;
}
