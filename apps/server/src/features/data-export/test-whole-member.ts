import { firstIdAt, type Instant } from "@fairtick/domain";
import type pg from "pg";
import { sealNumber } from "../identity/document-number.ts";
import { putOwnSafety } from "./test-own-safety.ts";

/**
 * Inserts rows for two members into every table that refers to a member. The texts tell them apart: rows of `mine` have texts
 * of their own, rows of `theirs` have `OF-ANOTHER-PERSON`, and what must not be exported has `SECRET-`. The rows that they
 * refer to are missing, so `owner` must be the superuser.
 */
export async function putWholeMembers(
  owner: pg.Client,
  secret: Buffer,
  { mine, theirs }: { readonly mine: bigint; readonly theirs: bigint },
): Promise<void> {
  await owner.query("BEGIN; SET LOCAL session_replication_role = replica");
  for (const table of ["proposals", "decisions"]) await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  for (const [who, mark] of [
    [mine, "mine"],
    [theirs, "theirs"],
  ] as const) {
    const n = mark === "mine" ? 155n : 7155n;
    const word = (text: string) => (mark === "mine" ? text : "OF-ANOTHER-PERSON");
    const insert = async (table: string, row: Readonly<Record<string, unknown>>) => {
      const values = Object.values(row);
      await owner.query(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) OVERRIDING SYSTEM VALUE VALUES (${values.map((_, at) => `$${at + 1}`).join(", ")})`,
        values,
      );
    };
    const hash = Buffer.alloc(32, mark === "mine" ? 1 : 2);
    const at = (ms: number) => (mark === "mine" ? ms : 1);
    const member_id = who;
    const chain = `chain-of-${mark}`;
    await owner.query(
      "UPDATE members SET username = $2, password_hash = 'SECRET-HASH', trade_password_hash = 'SECRET-HASH' WHERE member_id = $1",
      [who, word("AccountOwner")],
    );
    await insert("member_limits", { member_id, name: "dailyStake", effective_at: 1, value: 5_000_000 });
    await insert("sessions", {
      session_id: n,
      member_id,
      token_hash: hash,
      device: word("Marked device"),
      place: "AR",
      created_at: new Date(),
      seen_at: new Date(),
      expires_at: new Date(),
    });
    const device = { device_id: n, public_key: hash, label: word("Marked phone"), nonce: hash, added_at: 1 };
    await insert("order_devices", { member_id, ...device });
    await insert("favourites", { member_id, symbol: "EURUSD" });
    await insert("price_alerts", {
      alert_id: n,
      member_id,
      symbol: "EURUSD",
      direction: "up",
      price: 1_085_000,
      client_id: "client-01",
      created_at: 1,
      fired_at: 2,
      fired_price: 1_085_001,
    });
    await insert("identity_basics", {
      member_id,
      family_name: word("Silva"),
      given_name: "Ana",
      gender: "female",
      birth_date: "1990-05-17",
      submitted_at: 1,
    });
    await insert("identity_cases", {
      case_id: n,
      member_id,
      family_name: word("Silva"),
      given_name: "Ana",
      gender: "female",
      birth_date: "1990-05-17",
      document_type: "passport",
      document_number: sealNumber(word("AB-991188"), secret, n),
      number_hash: hash,
      front_file_id: n,
      back_file_id: n + 1n,
      submitted_at: 1,
    });
    await insert("identity_reminders", { case_id: n, sent_at: at(41_000) });
    await insert("transfers", {
      transfer_id: n,
      kind: "correction",
      wallet: "practice",
      member_id,
      member_seq: 9,
      available_after: 1_000_000,
      made_at: 1,
      idempotency_key: `k${n}`,
      remark: word("marked remark"),
    });
    await owner.query("INSERT INTO postings VALUES ($1, 1, 'capital', 'available', 1000000)", [n]);
    await insert("deposits", {
      deposit_id: n,
      member_id,
      method: "crypto",
      stage: "rejected",
      amount: 5_000_000,
      created_at: 1,
      stage_at: 1,
      reason: word("marked refusal"),
    });
    const deposit_id = n;
    await insert("bank_deposits", {
      deposit_id,
      card_id: n,
      card_version: 1,
      fiat_amount: 500,
      reference: word("FT-MARKED"),
      expires_at: 1,
    });
    await insert("card_deposits", { deposit_id, proposal_id: n });
    await insert("chain_claims", {
      deposit_id,
      chain,
      quantity: 5,
      tx_hash: mark === "mine" ? `0x${"c1".repeat(32)}` : `0x${"d".repeat(64)}`,
    });
    await insert("chain_transfers", {
      instance_id: 1,
      tx_hash: word("0xarrived"),
      log_index: Number(n),
      deposit_id,
      token: "0xt",
      from_address: "0xSENDER",
      to_address: `0x${"1".repeat(40)}`,
      raw_amount: 5,
      rate: 1_000_000,
      height: 1,
      block_hash: "0xb",
    });
    await insert("deposit_receipts", { deposit_id, file_id: n, put_at: at(43_000) });
    await insert("deposit_reversals", {
      deposit_id,
      proposal_id: n,
      transfer_id: n,
      taken: mark === "mine" ? 3_210_000 : 1_000_000,
      owed: 0,
    });
    await insert("deposit_steps", { deposit_id, step: 9, stage: "rejected", at: at(44_000) });
    const address = mark === "mine" ? "0x52908400098527886e0f7030069857d2e4169ee7" : `0x${"2".repeat(40)}`;
    await insert("chain_instances", {
      instance_id: n,
      chain,
      evm_chain_id: n,
      genesis_hash: "0xg",
      token: "0xt",
      cursor_height: 1,
      cursor_hash: "0xc",
      head_height: 1,
      read_at: 1,
    });
    await insert("deposit_addresses", { chain, address, member_id, child: n, account_hash: "h", made_at: 1 });
    await insert("chain_coins", {
      instance_id: n,
      address,
      member_id,
      balance: mark === "mine" ? 987_654 : 1,
      seen_at: 1,
    });
    await insert("withdrawals", {
      withdrawal_id: n,
      member_id,
      client_id: "client-01",
      request_hash: hash,
      chain,
      instance_id: n,
      address: mark === "mine" ? "0x8617e340b3d01fa5f11f306f4090fd50e238070d" : `0x${"3".repeat(40)}`,
      amount: 20_000_000,
      fee: 1_000_000,
      units: 19_000_000,
      created_at: 1,
      expires_at: 2,
      digest: hash,
      stage: "requested",
      stage_at: 1,
      hold_id: n,
    });
    await insert("withdrawal_steps", { withdrawal_id: n, step: 9, stage: "requested", at: at(45_000) });
    await owner.query(
      "INSERT INTO incidents (incident_id, kind, subject, member_id, detail, opened_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $4, $3, '{}', 1)",
      [n, word("marked incident"), who, `s${n}`],
    );
    await insert("withdrawal_freezes", { member_id, incident_id: n, frozen_at: at(46_000) });
    await putOwnSafety(insert, { member_id, chain, address, label: word("Marked wallet"), hash, began_at: at(51_000) });
    await insert("files", {
      file_id: n,
      member_id,
      purpose: "receipt",
      bytes: 5,
      width: 1,
      height: 1,
      digest: hash,
      made_at: 1,
      claimed_by: word("dep_marked"),
      claimed_at: 1,
    });
    await insert("push_subscriptions", {
      endpoint: `https://push.example/${word("marked")}`,
      session_id: n,
      member_id,
      p256dh: "SECRET-KEY",
      auth: "SECRET-KEY",
      created_at: 1,
    });
    await insert("announcement_reads", { member_id, announcement_id: 1, read_at: at(47_000) });
    await owner.query(
      "INSERT INTO member_messages (member_id, sent_at, written_by, title, body) VALUES ($1, 1, 1, $2, 'Words')",
      [who, word("A marked title")],
    );
    await insert("closings", { member_id, reason: mark === "mine" ? "consent" : "member", asked_at: 1 });
    await insert("suspensions", {
      suspension_id: n,
      member_id,
      standing_before: "active",
      suspended_by: 1,
      suspended_at: 1,
      reason: word("marked suspension"),
    });
    await insert("proposals", {
      proposal_id: n,
      kind: word("marked-kind"),
      made_by: 1,
      made_session: 1,
      made_at: 1,
      reason: "Words among operators",
      member_id,
      body: "{}",
    });
    await insert("decisions", {
      proposal_id: n,
      made_by: 1,
      made_session: 1,
      decided_by: 2,
      decided_session: 2,
      decided_at: at(48_000),
      decision: "approved",
      reason: "Words among operators",
    });
    await insert("vip_assignments", {
      member_id,
      post: mark === "mine" ? "manager" : "analyst",
      operator_id: 1,
      assigned_by: 1,
      assigned_at: 1,
    });
    await insert("referral_shares", { day: 12, member_id, inviter_id: theirs, fees: 123_456, share: 777_777 });
    await insert("liability_leaves", {
      day: 12,
      member_id,
      place: Number(n),
      nonce: Buffer.alloc(16, mark === "mine" ? 0xab : 0xcd),
    });
    await insert("support_threads", { member_id, opened_at: at(49_000), newest_id: n, newest_at: 1 });
    await insert("support_messages", { member_id, body: word("Marked words"), client_id: "client-01", sent_at: 1 });
    await insert("support_reads", { member_id, side: "member", through_id: n, read_at: at(50_000) });
    const order_id = firstIdAt(BigInt(Date.now()) as Instant) + n;
    await insert("orders", {
      order_id,
      member_id,
      member_seq: 7,
      batch_no: 1,
      accepted_at: 40_000,
      stake: 5_000_000,
      fee: 50_000,
      profit_if_won: 10_000,
      limit_price: null,
      available_after: 10_000,
      payout_rate: 850_000,
      duration: 60,
      config_version: 1,
      batch_place: Number(n),
      wallet: "practice",
      direction: "up",
      symbol: "EURUSD",
      client_order_id: `client-${n}`,
      client_key: `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
      nonce: Buffer.alloc(16),
    });
    await insert("settlements", {
      order_id,
      member_id,
      member_seq: 8,
      settled_at: at(42_000),
      profit: 0,
      credit: 0,
      available_after: 10_000,
      outcome: "voided",
      void_reason: "NO_ENTRY_TICK",
    });
  }
  await owner.query("COMMIT");
}
