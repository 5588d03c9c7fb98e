/**
 * The addresses that a member can withdraw to. A new one has to wait before it can be used, so that the member learns
 * of it in time.
 */
import { accept, formatPrefixedId, type MemberId, parsePrefixedId, refuse, type Verdict } from "@fairtick/domain";
import type { WithdrawalAddress } from "@fairtick/protocol";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { formatChainAddress } from "../../platform/chain-text.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { tellMember } from "../notices/index.ts";
import { spendSecondFactor, wrongFactor } from "../second-factor/index.ts";
import type { BySession } from "../sessions/index.ts";
import { sendWarning, type Warning, warnMember } from "../security-notices/index.ts";
import { judgeRecipient, type TypedAddress } from "./judge-recipient.ts";
import { type StoredAddress, vouchForAddress } from "./vouch-for-address.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";

const ADDRESS_PREFIX = "wad";
const LISTED_MAX = 500;

interface AddressRow {
  readonly address_id: bigint;
  readonly chain: string;
  readonly address: string;
  readonly label: string | null;
  readonly added_at: bigint;
  readonly usable_at: bigint;
  readonly now: bigint;
}

const SELECT = `SELECT address_id, chain, address, label, added_at, usable_at, withdrawal_now() AS now
  FROM withdrawal_addresses WHERE member_id = $1 AND removed_at IS NULL`;

function present(row: AddressRow, chains: readonly ChainSettings[]): WithdrawalAddress {
  const kind = chains.find(({ chain }) => chain === row.chain)?.kind ?? "evm";
  return {
    addressId: formatPrefixedId(ADDRESS_PREFIX, row.address_id),
    chain: row.chain,
    address: formatChainAddress(kind, row.address),
    label: row.label,
    addedAt: Number(row.added_at),
    usableAt: row.usable_at > row.now ? Number(row.usable_at) : null,
  };
}

/** Lists the member's addresses, newest first. */
export async function listAddresses(
  { databases, config }: Pick<Context, "databases" | "config">,
  memberId: MemberId,
): Promise<WithdrawalAddress[]> {
  const rows = await databases.reader.query<AddressRow>(`${SELECT} ORDER BY address_id DESC LIMIT ${LISTED_MAX}`, [
    memberId,
  ]);
  return rows.map((row) => present(row, config.chains));
}

/** Adds a judged address to the member's book unless it is there. It can be used once its waiting time is over. */
export async function addToBook(
  db: Queryable,
  memberId: MemberId,
  { chain, address, label, hours }: StoredAddress & { readonly label?: string | undefined; readonly hours: number },
): Promise<{ readonly addressId: bigint; readonly isNew: boolean }> {
  const [row] = await db.query<{ id: bigint; is_new: boolean }>(
    "SELECT id, is_new FROM add_withdrawal_address($1, $2, $3, $4, $5)",
    [memberId, chain, address, label ?? null, hours],
  );
  if (row === undefined) throw new Error("an address was not added");
  return { addressId: row.id, isNew: row.is_new };
}

const shown = ({ kind, chain }: ChainSettings, address: string) => ({
  address: formatChainAddress(kind, address),
  chain,
});

/** Writes an in-app message about a new address. Used where the warning itself is about the withdrawal to it. */
export function tellOfAddress(
  db: Queryable,
  memberId: MemberId,
  settings: ChainSettings,
  address: string,
): Promise<void> {
  return tellMember(db, memberId, "withdrawalAddressAdded", shown(settings, address));
}

/**
 * Adds an address and warns the member on every channel. An address that is in the book already only gets the new
 * label. Refuses CHAIN_UNKNOWN, ADDRESS_OTHER_CHAIN, ADDRESS_INVALID, ADDRESS_CHECKSUM, ADDRESS_IS_OURS,
 * SECOND_FACTOR_REQUIRED[means,question], SECOND_FACTOR_WRONG, TOO_MANY_TRIES[retryAt].
 */
export async function addAddress(
  context: WithdrawalContext,
  { memberId, sessionId, now }: BySession,
  wish: TypedAddress & { readonly label?: string | undefined; readonly secondFactor?: string | undefined },
): Promise<Verdict<WithdrawalAddress>> {
  const { databases, config, signer } = context;
  const settings = config.chains.find(({ chain }) => chain === wish.chain);
  if (settings === undefined || signer === null) return refuse("CHAIN_UNKNOWN");
  const address = await judgeRecipient(databases.money, settings, wish.address);
  if (!address.ok) return address;
  const label = wish.label?.trim() === "" ? undefined : wish.label?.trim();
  const stored = { chain: wish.chain, address: address.value };
  const vouched = await vouchForAddress(context, memberId, stored, { secondFactor: wish.secondFactor, sessionId, now });
  if (!vouched.ok) return vouched;
  const { factor, hours } = vouched.value;
  const done = await databases.money.transaction(async (db) => {
    if (!(await spendSecondFactor(db, memberId, factor, now))) return null;
    const added = await addToBook(db, memberId, { ...stored, label, hours });
    const warned: Warning | null = added.isNew
      ? await warnMember(db, context, memberId, {
          key: "withdrawalAddressAdded",
          params: shown(settings, address.value),
        })
      : null;
    const [found] = await db.query<AddressRow>(`${SELECT} AND address_id = $2`, [memberId, added.addressId]);
    return { row: found, warning: warned };
  });
  if (done === null) return wrongFactor();
  const { row, warning } = done;
  if (row === undefined) return refuse("CONFLICT");
  if (warning !== null) sendWarning(context, warning);
  return accept(present(row, config.chains));
}

/**
 * Removes an address. If it is added again, it waits again. Removing it twice changes nothing. Refuses NOT_FOUND for
 * one that was never theirs.
 */
export async function removeAddress(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  id: string,
): Promise<Verdict<null>> {
  const addressId = parsePrefixedId(ADDRESS_PREFIX, id);
  if (addressId === null) return refuse("NOT_FOUND");
  const [row] = await databases.money.query<{ removed: boolean }>(
    "SELECT remove_withdrawal_address($1, $2) AS removed",
    [memberId, addressId],
  );
  if (row?.removed === true) return accept(null);
  const known = await databases.money.query(
    "SELECT 1 FROM withdrawal_addresses WHERE address_id = $1 AND member_id = $2",
    [addressId, memberId],
  );
  return known.length === 0 ? refuse("NOT_FOUND") : accept(null);
}
