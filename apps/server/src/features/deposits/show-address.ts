import {
  accept,
  BANK_DEPOSIT_MAX,
  BANK_DEPOSIT_MIN,
  type ChainKind,
  formatId,
  formatMoney,
  formatUsdt,
  formatRate,
  type Instant,
  type MemberId,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { depositAddress, depositMethods, Output } from "@fairtick/protocol";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { formatChainAddress } from "../../platform/chain-text.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { openIncident } from "../chain/index.ts";
import type { AccountAddresses, AddressMaker } from "./derive-address.ts";
import { refuseNewDeposit } from "./may-deposit.ts";
import { refuseUnknownRegion, bankCurrencies } from "./receiving-cards.ts";

export interface DepositContext extends Pick<Context, "databases" | "config" | "clock" | "log"> {
  /** Null if no account is configured. Then there are no crypto deposits. */
  readonly addresses: AddressMaker | null;
  /** Signs the shown address, so that it can't be replaced on its way to the member. */
  readonly addressSigner?: AcceptanceSigner | undefined;
}

/** A chain that has not been read for this long is not offered. */
const READ_AGE_MS_MAX = 60_000n;
/**
 * How many blocks a block takes at most to become final: a little more than two epochs on Ethereum; on TRON, blocks of 19 of
 * the 27 producers.
 */
const FINALIZED_BLOCKS: Readonly<Record<ChainKind, number>> = { evm: 96, tron: 20 };

/**
 * Lists the deposit methods that work now: chains that are being read, and currencies that have a card for the region
 * (the member's own if none is named). Refuses FIELD_INVALID for an unknown region, and as `refuseNewDeposit`.
 */
export async function listMethods(
  context: DepositContext,
  memberId: MemberId,
  now: Instant,
  { region }: { readonly region?: string | undefined } = {},
): Promise<Verdict<Output<typeof depositMethods>>> {
  const refusal =
    (await refuseNewDeposit(context, memberId, now)) ??
    (region === undefined ? null : await refuseUnknownRegion(context, region));
  if (refusal !== null) return { ok: false, refusal };
  const { config, databases, addresses } = context;
  const rows = await databases.reader.query<{ chain: string }>(
    "SELECT chain FROM chain_instances WHERE ended_at IS NULL AND read_at > $1",
    [now - READ_AGE_MS_MAX],
  );
  const currencies = await bankCurrencies(context, memberId, region);
  const readNow = new Set(rows.map(({ chain }) => chain));
  const offered = config.chains.filter(
    ({ chain, kind }) => readNow.has(chain) && (addresses?.of(kind) ?? null) !== null,
  );
  return accept({
    bank: currencies.map((currency) => ({
      currency,
      minimum: formatMoney(BANK_DEPOSIT_MIN),
      maximum: formatMoney(BANK_DEPOSIT_MAX),
    })),
    crypto: offered.map((settings) => ({
      chain: settings.chain,
      name: settings.name,
      currency: "USDT",
      minimum: formatUsdt(settings.minimum),
      confirmations: confirmationsOf(settings),
      rate: formatRate(settings.rate),
    })),
    // Support enters it, and a second person approves.
    card: true,
  });
}

/**
 * Returns the member's own address on a chain, creating it when they first ask. Refuses CHAIN_UNKNOWN, ADDRESS_ALTERED
 * if the stored address doesn't match the key (an incident opens), and as `refuseNewDeposit`.
 */
export async function showAddress(
  context: DepositContext,
  memberId: MemberId,
  chain: string,
  now: Instant,
): Promise<Verdict<Output<typeof depositAddress>>> {
  const refusal = await refuseNewDeposit(context, memberId, now);
  if (refusal !== null) return { ok: false, refusal };
  const { config, databases, addresses, addressSigner, log } = context;
  const settings = config.chains.find((one) => one.chain === chain);
  const account = settings === undefined ? null : addresses?.of(settings.kind);
  if (settings === undefined || !account) return refuse("CHAIN_UNKNOWN");
  const own = await databases.money.transaction((transaction) =>
    takeAddress(transaction, account, memberId, chain, now),
  );
  if (own === null) {
    const incident = { kind: "address_altered", subject: `${chain} ${memberId}`, memberId, detail: { chain } } as const;
    const opened = await openIncident(databases.money, incident, now);
    if (opened !== null) log.fatal({ chain, memberId: String(memberId) }, "a stored deposit address is not the key's");
    return refuse("ADDRESS_ALTERED");
  }
  const [instance] = await databases.reader.query<{ evm_chain_id: bigint }>(
    "SELECT evm_chain_id FROM chain_instances WHERE chain = $1 AND ended_at IS NULL",
    [chain],
  );
  const address = formatChainAddress(settings.kind, own);
  const token = formatChainAddress(settings.kind, settings.token);
  const place = instance === undefined ? "" : `@${instance.evm_chain_id}`;
  const shown = {
    chain,
    currency: "USDT",
    address,
    // EIP-681: the token's contract takes the place of the recipient. TRON wallets understand only the plain address.
    uri: settings.kind === "tron" ? address : `ethereum:${token}${place}/transfer?address=${address}`,
  };
  const signature = addressSigner?.signDepositPlace({ ...shown, member: formatId("member", memberId) });
  return accept({
    ...shown,
    signature: signature?.toString("base64") ?? null,
    key: addressSigner?.keyId ?? null,
    confirmations: confirmationsOf(settings),
    minimum: formatUsdt(settings.minimum),
  });
}

function confirmationsOf({ kind, confirmations }: ChainSettings): number {
  return confirmations === "finalized" ? FINALIZED_BLOCKS[kind] : confirmations;
}

/**
 * Returns the member's address, or null if the stored one was altered. Each member has one child number for all chains. A
 * stored address is derived again before it is shown, so that write access to that table can't redirect money.
 */
async function takeAddress(
  transaction: Queryable,
  maker: AccountAddresses,
  memberId: MemberId,
  chain: string,
  now: Instant,
): Promise<string | null> {
  await transaction.query("INSERT INTO deposit_children (member_id) VALUES ($1) ON CONFLICT DO NOTHING", [memberId]);
  const [row] = await transaction.query<{ child: number }>("SELECT child FROM deposit_children WHERE member_id = $1", [
    memberId,
  ]);
  if (row === undefined) throw new Error("a member has no child number");
  const address = maker.address(row.child);
  await transaction.query(
    `INSERT INTO deposit_addresses (chain, address, member_id, child, account_hash, made_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (chain, account_hash, child) DO NOTHING`,
    [chain, address, memberId, row.child, maker.accountHash, now],
  );
  const [stored] = await transaction.query<{ address: string; member_id: bigint }>(
    "SELECT address, member_id FROM deposit_addresses WHERE chain = $1 AND account_hash = $2 AND child = $3",
    [chain, maker.accountHash, row.child],
  );
  return stored?.address === address && stored.member_id === memberId ? address : null;
}
