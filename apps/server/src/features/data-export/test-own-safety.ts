type Insert = (table: string, row: Readonly<Record<string, unknown>>) => Promise<void>;

/** Inserts a freeze by the member, the link of a warning, and an address in the address book. */
export async function putOwnSafety(
  insert: Insert,
  own: {
    readonly member_id: unknown;
    readonly chain: string;
    readonly address: string;
    readonly label: string;
    readonly hash: Buffer;
    readonly began_at: number;
  },
): Promise<void> {
  const { member_id, chain, address, label, hash, began_at } = own;
  await insert("member_freezes", { member_id, began_by: "link", began_at });
  await insert("withdrawal_addresses", { member_id, chain, address, label, added_at: 1, usable_at: 1 });
  await insert("freeze_links", { token_hash: hash, member_id, expires_at: 1 });
}
