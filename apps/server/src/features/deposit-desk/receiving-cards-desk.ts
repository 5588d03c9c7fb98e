import { accept, currencyDigits, formatRate, type Rate, refuse, type Verdict } from "@fairtick/domain";
import type {
  Input,
  Output,
  ReceivingCardProposal,
  receivingCardList,
  receivingCardPropose,
} from "@fairtick/protocol/operator";
import { isValidBIC, isValidIBAN } from "ibantools";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { type CardRow, formatCardId, parseCardId } from "../deposits/index.ts";
import {
  decideProposal,
  listProposals,
  makeProposal,
  type OperatorContext,
  presentProposal,
  type ProposalRow,
} from "../operators/index.ts";

const KIND = "receiving_card";

/** Body of the proposal. A function of the database reads the same text. */
interface Body {
  readonly cardId: string | null;
  readonly regions: readonly string[];
  readonly currency: string;
  readonly digits: number;
  readonly bank: string;
  readonly bankCode: string | null;
  readonly holder: string;
  readonly number: string;
  readonly note: string;
  /** Units of the currency for one USD, in millionths, as digits. */
  readonly rate: string;
  readonly active: boolean;
}

/** Reads the cards in force and their proposals, newest first. */
export async function listReceivingCards(db: Queryable): Promise<Output<typeof receivingCardList>> {
  const cards = await db.query<CardRow & { made_at: bigint }>(
    "SELECT * FROM receiving_cards_now ORDER BY currency, card_id",
  );
  const proposals = await listProposals(db, KIND, { state: "all", limit: 50 });
  return {
    cards: cards.map((card) => ({
      cardId: formatCardId(card.card_id),
      version: card.version,
      regions: [...card.regions],
      currency: card.currency,
      bank: card.bank,
      bankCode: card.bank_code,
      holder: card.holder,
      number: card.number,
      note: card.note,
      rate: formatRate(card.rate as Rate),
      active: card.active,
      madeAt: Number(card.made_at),
    })),
    proposals: proposals.ok ? proposals.value.items.map(present) : [],
  };
}

/** Returns whether an account number is valid. One that looks like an IBAN, or is in euros, must be a valid IBAN. */
function isAccountNumber(number: string, currency: string): boolean {
  const isIban = currency === "EUR" || /^[A-Z]{2}[0-9]{2}/.test(number);
  return number.length <= 34 && (!isIban || isValidIBAN(number));
}

/**
 * Proposes a card or a new version of one. Refuses CARD_UNKNOWN, and FIELD_INVALID for an IBAN or BIC with wrong check
 * digits, or a rate of zero.
 */
export async function proposeReceivingCard(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  wish: Input<typeof receivingCardPropose>,
): Promise<Verdict<ReceivingCardProposal>> {
  const number = wish.number.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (!isAccountNumber(number, wish.currency)) return invalid("number");
  if (wish.currency === "EUR" && wish.bankCode !== null && !isValidBIC(wish.bankCode)) return invalid("bankCode");
  const [whole = "0", part = ""] = wish.rate.split(".");
  const rate = BigInt(whole + part.padEnd(6, "0"));
  if (rate === 0n) return invalid("rate");
  const cardId = wish.cardId === undefined ? null : parseCardId(wish.cardId);
  if (wish.cardId !== undefined) {
    const [known] = await db.query<{ currency: string }>(
      "SELECT currency FROM receiving_cards_now WHERE card_id = $1",
      [cardId],
    );
    if (known === undefined) return refuse("CARD_UNKNOWN");
    if (known.currency !== wish.currency) return invalid("currency");
  }
  const { regions, currency, bank, bankCode, holder, note, active, reason } = wish;
  const body: Body = {
    cardId: cardId === null ? null : String(cardId),
    regions: [...new Set(regions)],
    currency,
    digits: currencyDigits(currency),
    bank,
    bankCode,
    holder,
    number,
    note,
    rate: String(rate),
    active,
  };
  const made = await makeProposal(db, session, {
    proposalId: ids.next(),
    kind: KIND,
    reason,
    body: JSON.stringify(body),
  });
  return accept(present(made));
}

export async function decideReceivingCard(
  { ids }: Pick<OperatorContext, "ids">,
  db: Queryable,
  session: OperatorSession,
  what: { readonly proposalId: string; readonly reason: string; readonly decision: "approved" | "rejected" },
): Promise<Verdict<ReceivingCardProposal>> {
  const decided = await decideProposal(db, session, { kind: KIND, ...what });
  if (!decided.ok) return decided;
  if (what.decision === "approved") {
    await db.query("SELECT publish_receiving_card($1, $2)", [decided.value.proposal_id, ids.next()]);
  }
  return accept(present(decided.value));
}

function present(row: ProposalRow): ReceivingCardProposal {
  const body = JSON.parse(row.body) as Body;
  return {
    ...presentProposal(row),
    cardId: body.cardId === null ? null : formatCardId(BigInt(body.cardId)),
    card: {
      regions: [...body.regions],
      currency: body.currency,
      bank: body.bank,
      bankCode: body.bankCode,
      holder: body.holder,
      number: body.number,
      note: body.note,
      rate: formatRate(BigInt(body.rate) as Rate),
      active: body.active,
    },
  };
}

function invalid(field: string): Verdict<never> {
  return refuse("FIELD_INVALID", { field }, { [field]: "FIELD_INVALID" });
}
