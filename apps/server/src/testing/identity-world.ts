/** What the tests of identities share: a console with compliance operators, and members who submit documents. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource, formatId, type MemberId } from "@fairtick/domain";
import type { IdentityCase, IdentityEntry } from "@fairtick/protocol/operator";
import sharp from "sharp";
import { expect } from "vitest";
import { type DocumentContext, readIdentity, submitBasic, submitDocuments } from "../features/identity/index.ts";
import { createConsoleWorld, type ConsoleWorld } from "./console-world.ts";

type DocumentWish = Parameters<typeof submitDocuments>[2];

export const NAME = { familyName: "Silva", givenName: "Ana", gender: "female", birthDate: "1990-05-17" } as const;

const LOGINS = ["compliance-1", "compliance-2", "auditor-1", "finance-1", "support-1", "admin-1"];

/** Creates the world. Call `open` before all tests of a file and `close` after them. */
export function identityWorld() {
  let opened: { readonly world: ConsoleWorld; readonly context: DocumentContext; readonly photos: string } | undefined;
  let shade = 0;
  const cookies = new Map<string, string>();
  /** Members whose identity was announced. */
  const told: bigint[] = [];
  const as = (login: string) => cookies.get(login) ?? "";
  const here = () => {
    if (opened === undefined) throw new Error("the world is not open yet");
    return opened;
  };
  const world = () => here().world;
  const context = () => here().context;

  async function open(): Promise<void> {
    const made = await createConsoleWorld();
    opened = {
      world: made,
      context: { ...made.context, ids: createIdSource({ node: 5, clock: made.context.clock }) },
      photos: mkdtempSync(join(tmpdir(), "fairtick-identity-")),
    };
    made.context.bus.subscribe("identities", ({ members }) => told.push(...members));
    for (const login of LOGINS) cookies.set(login, await made.logIn(login));
  }
  async function close(): Promise<void> {
    rmSync(here().photos, { recursive: true, force: true });
    await world().close();
  }

  const now = () => world().context.clock.now();
  const member = async (region = "BR") => (await world().builder.createMember({ region })) as MemberId;
  const status = (memberId: MemberId) => readIdentity(context(), memberId);

  /** Stores a photo with a unique width (shades are lost when it is re-encoded), or one in the given shade of red. */
  async function photo(
    memberId: MemberId,
    purpose: "identity" | "receipt" = "identity",
    red?: number,
  ): Promise<string> {
    shade += 1;
    const path = join(here().photos, `${shade}.png`);
    const width = red === undefined ? 40 + shade : 40;
    const background = { r: red ?? 120, g: 90, b: 10 };
    await sharp({ create: { width, height: 30, channels: 3, background } }).toFile(path);
    const stored = await world().files.store(memberId, purpose, { path }, now());
    if (!stored.ok) throw new Error(stored.refusal.error);
    return stored.value.fileId;
  }

  let numbers = 0;
  async function documents(memberId: MemberId, change: Partial<DocumentWish> = {}) {
    numbers += 1;
    return submitDocuments(context(), memberId, {
      documentType: "idCard",
      documentNumber: `AB-${String(numbers).padStart(6, "0")}`,
      frontFileId: await photo(memberId),
      backFileId: await photo(memberId),
      ...change,
    });
  }

  /** Makes a member with an open case. Returns both ids as calls use them. */
  async function newCase(change: Partial<DocumentWish> = {}, region = "BR") {
    const id = await member(region);
    expect(await submitBasic(context(), id, NAME, now())).toEqual({ ok: true, value: null });
    expect(await documents(id, change)).toEqual({ ok: true, value: null });
    const memberId = formatId("member", id);
    const list = await world().call("identity/list", { limit: "100" }, as("compliance-1"));
    const { items } = list.body.data as { items: IdentityEntry[] };
    const entry = items.find((one) => one.memberId === memberId);
    if (entry === undefined) throw new Error("the case is not in the queue");
    return { id, memberId, caseId: entry.caseId };
  }

  const approve = (caseId: string, login: string, birthDate: string | undefined = NAME.birthDate) =>
    world().call(
      "identity/approve",
      { caseId, reason: "Photos and data agree", ...(birthDate && { birthDate }) },
      as(login),
    );
  const reject = (caseId: string, login: string, reason = "The back is blurred") =>
    world().call("identity/reject", { caseId, reason }, as(login));
  const doneOf = (answer: { body: { data: unknown } }) => (answer.body.data as { done?: string }).done;
  const detail = async (caseId: string) =>
    (await world().call("identity/detail", { caseId }, as("auditor-1"))).body.data as IdentityCase;
  const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await world().builder.client.query<Row>(text, values)).rows;

  return {
    open,
    close,
    world,
    context,
    told,
    as,
    now,
    member,
    status,
    photo,
    documents,
    newCase,
    approve,
    reject,
    doneOf,
    detail,
    sql,
  };
}
