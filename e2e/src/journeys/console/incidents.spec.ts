import type { Page } from "@playwright/test";
import { withdrawList } from "@fairtick/protocol";
import { expect, onScreen, test } from "../../steps/journey.ts";
import { expectAccessible, picture } from "../../steps/look.ts";
import { type Member, summaryOf, TRADE_PASSWORD, valueOf } from "../../steps/members.ts";
import { giveReason, goTo, openConsole } from "../../steps/office.ts";
import { giveReal, newWallet, transfersTo } from "../../steps/real-money.ts";
import { withTables } from "../../steps/tables.ts";
import { agreeToWithdraw, chooseWithdrawal } from "../../steps/withdrawing.ts";

/** Records an incident as the chain watcher does when a credited transfer's block disappears; returns its subject. */
async function loseDeposit(member: Member): Promise<string> {
  return withTables(async (client) => {
    const { rows } = await client.query<{ subject: string }>(
      `WITH opened AS (
         INSERT INTO incidents (kind, subject, member_id, detail, opened_at)
         SELECT 'credited_reorg', d.deposit_id::text, d.member_id,
           jsonb_build_object('chain', 'test', 'tx', t.tx_hash, 'height', t.height::text), epoch_ms()
         FROM deposits d JOIN chain_transfers t USING (deposit_id) JOIN members m USING (member_id) WHERE m.email = $1
         RETURNING incident_id, member_id, subject, opened_at
       ), frozen AS (
         INSERT INTO withdrawal_freezes (member_id, incident_id, frozen_at) SELECT member_id, incident_id, opened_at FROM opened
       )
       SELECT subject FROM opened`,
      [member.email],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("the member has no deposit from a chain");
    return row.subject;
  });
}

const STOPPED = "WHERE stopped_at IS NOT NULL AND stop_reason = $1";

/**
 * Stops the paying wallet as a round of payments does when a stranger used its nonce; returns the incident's subject.
 */
async function stopWallet(reason: string): Promise<string> {
  return withTables(async (client) => {
    const { rows } = await client.query<{ subject: string }>(
      `SELECT w.instance_id || ' ' || w.address AS subject, stop_payout_wallet(w.instance_id, w.address, 'test', $1, epoch_ms())
       FROM payout_wallets w JOIN chain_instances i USING (instance_id) WHERE i.ended_at IS NULL`,
      [reason],
    );
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw new Error(`${rows.length} wallets pay on the test chain`);
    return row.subject;
  });
}

/** Restarts the wallet. Other journeys are paid from it too, so a journey that fails must not leave it stopped. */
async function startWallet(reason: string): Promise<void> {
  await withTables((client) =>
    client.query(`UPDATE payout_wallets SET stopped_at = NULL, stop_reason = NULL ${STOPPED}`, [reason]),
  );
}

async function openIncident(office: Page, subject: string): Promise<void> {
  await office.reload();
  // The console reopens at the last tab.
  await office.getByRole("tab", { name: "Open" }).click();
  await office.locator("tr[data-id]", { hasText: subject }).getByRole("button").click();
  await expect(office.getByRole("complementary")).toContainText(subject);
}

test("two people lift a freeze and restart a stopped wallet, and the member reads why they have to wait", async ({
  browser,
  memberPage,
  member,
}, info) => {
  test.slow();
  const screen = onScreen(memberPage);
  const why = screen.getByText(/We’re looking into one of your deposits/);
  const state = screen.getByTestId("withdrawal-state");
  const wallet = newWallet();
  await giveReal(member, "300");
  const first = await openConsole(browser, "finance-1");
  const second = await openConsole(browser, "finance-2");
  const [side, otherSide] = [first.getByRole("complementary"), second.getByRole("complementary")];
  await goTo(first, "Incidents");
  await goTo(second, "Incidents");
  const lost = await loseDeposit(member);

  await test.step("a member whose deposit vanished from its chain has to wait and reads why", async () => {
    await chooseWithdrawal(memberPage, wallet, "120");
    await agreeToWithdraw(memberPage, TRADE_PASSWORD);
    await expect(why).toBeVisible();
    await expect(state).toHaveText("Processing");
    await expectAccessible(memberPage, "withdrawal that waits");
    await picture(memberPage, info, "incidents-01-member-waits");
  });

  await test.step("one person proposes to lift the freeze but can't approve it alone", async () => {
    await openIncident(first, lost);
    await expect(side).toContainText("This member’s withdrawals are on hold until this incident is closed.");
    await expect(side.getByRole("button", { name: /^Close/ })).toHaveCount(0);
    await giveReason(first, "The block is there by another node");
    await side.getByRole("button", { name: /^Propose to lift the freeze/ }).click();
    await expect(side).toContainText("someone else has to decide");
    await expect(side.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
    await expectAccessible(first, "console incident");
    await picture(first, info, "incidents-02-proposed");
    await memberPage.reload();
    await expect(why).toBeVisible();
  });

  await test.step("another person approves: both are on record, and the member is free again", async () => {
    await openIncident(second, lost);
    await giveReason(second, "Seen by a third node as well");
    await otherSide.getByRole("button", { name: /^Approve/ }).click();
    await expect(second.locator("tr[data-id]", { hasText: lost })).toHaveCount(0);
    await second.getByRole("tab", { name: "Closed" }).click();
    await second.locator("tr[data-id]", { hasText: lost }).getByRole("button").click();
    await expect(otherSide).toContainText(/Closed .* by finance-2/);
    await expect(otherSide).toContainText("finance-1");
    await picture(second, info, "incidents-03-closed");
    await memberPage.reload();
    await expect(screen.getByText("A person is checking it")).toBeVisible();
    await expect(why).toHaveCount(0);
    await screen.getByRole("button", { name: "Cancel withdrawal" }).click();
    await screen.getByRole("button", { name: "Yes, cancel it" }).click();
    await expect(state).toHaveText("Canceled");
    expect(await summaryOf(member, "real")).toMatchObject({ available: "300.00", locked: "0.00" });
  });

  await test.step("a stopped paying wallet pays nothing until two people have restarted it", async () => {
    const reason = `nonce of ${member.email} was used by no attempt of ours`;
    const stage = async () => valueOf(await member.client.call(withdrawList, {})).items[0]?.stage;
    const subject = await stopWallet(reason);
    try {
      await chooseWithdrawal(memberPage, wallet, "110");
      await agreeToWithdraw(memberPage, TRADE_PASSWORD);
      await openIncident(first, subject);
      await expect(side).toContainText("This wallet doesn’t pay until this incident is closed.");
      await expect(side).toContainText(reason);
      await giveReason(first, "Compared with the chain, nonce by nonce");
      await side.getByRole("button", { name: /^Propose to resume payments/ }).click();
      await expect(side).toContainText("someone else has to decide");
      await expect.poll(stage).toBe("approved");
      await openIncident(second, subject);
      await picture(second, info, "incidents-04-wallet");
      await giveReason(second, "The same in the signer's journal");
      expect(await stage()).toBe("approved");
      expect(await transfersTo(wallet)).toEqual([]);
      await otherSide.getByRole("button", { name: /^Approve/ }).click();
      await expect(second.locator("tr[data-id]", { hasText: subject })).toHaveCount(0);
    } finally {
      await startWallet(reason);
    }
    await expect(state).toHaveText("Withdrawn", { timeout: 120_000 });
    expect((await transfersTo(wallet)).map(({ units }) => units)).toEqual([109_000_000n]);
    expect(await summaryOf(member, "real")).toMatchObject({ available: "190.00", locked: "0.00" });
  });
});
