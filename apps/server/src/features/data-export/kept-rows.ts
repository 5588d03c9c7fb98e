import {
  type ChainKind,
  depositState,
  type DepositStage,
  formatFiat,
  formatMoney,
  formatPrefixedId,
  formatRate,
  formatUsdt,
  type Instant,
  type MemberId,
  type MicroUsd,
  type Rate,
  type WithdrawalStage,
  withdrawalState,
} from "@fairtick/domain";
import { formatChainAddress, formatTxHash } from "../../platform/chain-text.ts";
import type { Context } from "../../platform/context.ts";
import { openNumber } from "../identity/index.ts";

/** A file of the archive, and the columns of its CSV. Its JSON has all fields of each row. */
interface Section {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The files made from what the database function `kept_of_member` returns. */
export const KEPT_SECTIONS: readonly Section[] = [
  section("wallets", "wallet available locked runningStakes day stakedThatDay lostThatDay debt"),
  section(
    "deposits",
    `depositNo createdAt method state stage stageAt amount reason chain token toAddress units txHash claimedUnits claimedHash claimOf
     reference fiatAmount currency rate cardBank cardBankCode cardHolder cardNumber referenceExpiresAt byCustomerService
     reversalTaken reversalOwed receipts steps`,
  ),
  section(
    "withdrawals",
    "withdrawNo createdAt state stage stageAt amount fee chain address txHash reason paymentExpiresAt digest steps",
  ),
  section("withdrawal-freezes", "frozenAt liftedAt why"),
  section("withdrawal-addresses", "chain address label addedAt usableAt removedAt"),
  section("incidents", "kind openedAt closedAt"),
  section("deposit-addresses", "chain address number madeAt coins"),
  section(
    "identity",
    `caseNo familyName givenName gender birthDate documentType documentNumber frontFileId backFileId submittedAt state decidedAt reason
     documentBirthDate documentExpires endedAt remindedAt`,
  ),
  section(
    "files",
    "fileId purpose media name bytes width height digest madeAt belongsTo claimedAt fromCustomerService",
  ),
  section("push-subscriptions", "endpoint madeAt"),
  section("announcements-read", "noticeId readAt"),
  section("closing", "reason askedAt closedAt"),
  section("suspensions", "suspendedAt reason reviewedAt reviewReason liftedAt liftReason"),
  section("proposals", "kind madeAt decision decidedAt"),
  section("assigned-people", "post assignedAt"),
  section("fees-shared", "day fees"),
  section("liability-proofs", "day place nonce"),
  section("chat", "openedAt closedAt readings"),
];

function section(name: string, columns: string): Section {
  return { name, columns: columns.trim().split(/\s+/) };
}

type Entry = Readonly<Record<string, unknown>>;
type KeptContext = Pick<Context, "databases" | "config">;

/** Reads the rows of all sections, with values written as in the app. A section without rows isn't in the map. */
export async function readKept(
  context: KeptContext,
  memberId: MemberId,
  now: Instant,
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const rows = await context.databases.sessions.query<{ section: string; entry: Entry }>(
    `SELECT section, CASE section WHEN 'files' THEN entry || jsonb_build_object('media', f.media, 'name', f.name) ELSE entry END AS entry
     FROM kept_of_member($1) LEFT JOIN files f ON section = 'files' AND f.file_id = (entry ->> 'fileId')::bigint`,
    [memberId],
  );
  const words = Map.groupBy(rows, (row) => row.section);
  return new Map([...words].map(([name, kept]) => [name, kept.map(({ entry }) => present(context, name, entry, now))]));
}

const money = (text: string) => formatMoney(BigInt(text) as MicroUsd);
const id = (prefix: string) => (text: string) => formatPrefixedId(prefix, BigInt(text));

/** How to format the database's values, by the name of their field. */
const TEXTS: Readonly<Record<string, (text: string) => string>> = {
  available: money,
  locked: money,
  runningStakes: money,
  stakedThatDay: money,
  lostThatDay: money,
  debt: money,
  amount: money,
  fee: money,
  reversalTaken: money,
  reversalOwed: money,
  // The fees of one order, which aren't rounded.
  fees: (text) => formatUsdt(BigInt(text) as MicroUsd),
  rate: (text) => formatRate(BigInt(text) as Rate),
  depositNo: id("dep"),
  claimOf: id("dep"),
  withdrawNo: id("wdr"),
  fileId: id("fil"),
  frontFileId: id("fil"),
  backFileId: id("fil"),
  noticeId: id("ann"),
  caseNo: id("idn"),
};

function inWords(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => inWords(one, name));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inWords(inner, key)]));
  if (typeof value === "number" && name.endsWith("At")) return new Date(value).toISOString();
  return typeof value === "string" ? (TEXTS[name]?.(value) ?? value) : value;
}

function present({ config }: KeptContext, name: string, entry: Entry, now: Instant): Entry {
  const { digits, sealedNumber, ...rest } = entry;
  const kind: ChainKind = config.chains.find(({ chain }) => chain === entry["chain"])?.kind ?? "evm";
  const address = (text: unknown) => (typeof text === "string" ? formatChainAddress(kind, text) : text);
  const hash = (text: unknown) => (typeof text === "string" ? formatTxHash(kind, text) : text);
  const at = BigInt(Number(entry["stageAt"] ?? 0)) as Instant;
  return {
    ...(inWords(rest, "") as Entry),
    ...("address" in entry && { address: address(entry["address"]) }),
    ...("toAddress" in entry && { toAddress: address(entry["toAddress"]) }),
    ...("txHash" in entry && { txHash: hash(entry["txHash"]) }),
    ...(name === "deposits" && { state: depositState(entry["stage"] as DepositStage, at, now) }),
    ...(name === "withdrawals" && { state: withdrawalState(entry["stage"] as WithdrawalStage) }),
    ...(typeof digits === "number" &&
      typeof entry["fiatAmount"] === "string" && { fiatAmount: formatFiat(BigInt(entry["fiatAmount"]), digits) }),
    ...(typeof sealedNumber === "string" &&
      typeof entry["caseNo"] === "string" && {
        documentNumber: openNumber(Buffer.from(sealedNumber, "base64"), config.secret, BigInt(entry["caseNo"])),
      }),
  };
}
