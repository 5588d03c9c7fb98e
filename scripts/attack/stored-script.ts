import { randomUUID } from "node:crypto";
import type { Attack, Outcome } from "./attack.ts";
import type { Member } from "./member.ts";
import type { Operator } from "./operator.ts";
import type { Answer } from "./request.ts";
import type { World } from "./world.ts";

/**
 * Script in every text that members and operators can write. It must come back as data, byte for byte, in a response
 * that
 * no browser treats as a page. The journeys check in a browser that screens show it as text.
 */
export const storedScript: Attack = { name: "stored script", run };

/** A field that people write, and where it is read again. */
interface Sink {
  readonly name: string;
  readonly write: (text: string) => Promise<Answer>;
  readonly read: () => Promise<Answer>;
}

async function run(world: World): Promise<Outcome> {
  const faults: string[] = [];
  const support = operator(world, "support");
  const finance = operator(world, "finance");
  const sinks = [...memberSinks(world.owner, support), ...operatorSinks(support, finance, world)];
  for (const sink of sinks) {
    const text = scriptFor(sink.name);
    const written = await sink.write(text);
    if (written.status !== 200) {
      faults.push(`${sink.name} took no text: ${written.status} ${written.text.slice(0, 200)}`);
      continue;
    }
    faults.push(...judgeText(sink.name, text, await sink.read()));
  }
  for (const path of ["/dev/inbox", "/docs", "/client/order/place", "/nowhere"]) {
    const hostile = scriptFor(path);
    const asked = `${path}?to=${encodeURIComponent(hostile)}`;
    const page = await world.caller.send(asked, { method: "GET", headers: { accept: "text/html" } });
    if (page.text.includes("<script>alert")) faults.push(`${path} writes what it is asked for into its page`);
  }
  return { tried: `${sinks.length} texts and 4 pages`, faults };
}

let made = 0;

/** Returns a script for a field: short, since names are; unique, so that it can't be confused with older text. */
function scriptFor(_name: string): string {
  made += 1;
  return `"><script>alert(${made})</script>`;
}

/** Expects the response to contain the text as it was written, as data that no browser executes. */
export function judgeText(name: string, text: string, answer: Answer): string[] {
  const faults: string[] = [];
  const type = answer.headers["content-type"] ?? "";
  if (!type.startsWith("application/json")) faults.push(`${name} comes back as ${type}`);
  if (answer.headers["x-content-type-options"] !== "nosniff") faults.push(`${name} may be taken for another type`);
  if (!answer.text.includes(JSON.stringify(text).slice(1, -1)))
    faults.push(`${name} does not come back as it was written: ${answer.text.slice(0, 200)}`);
  return faults;
}

function memberSinks(member: Member, support: Operator): Sink[] {
  const clientId = randomUUID();
  return [
    {
      name: "a member's name",
      write: (username) => member.call("user/setName", { username }),
      read: () => member.call("user/info"),
    },
    {
      name: "a line of the chat",
      write: (text) => member.call("support/send", { text, clientId }),
      read: () => member.call("support/thread"),
    },
    {
      name: "a line of the chat, in the inbox of support",
      write: (text) => member.call("support/send", { text, clientId: randomUUID() }),
      read: () => support.call("support/inbox", { show: "all" }),
    },
    {
      name: "a person's name",
      write: (familyName) =>
        member.call("identity/submitBasic", {
          familyName,
          givenName: "Maria",
          gender: "female",
          birthDate: "1990-01-01",
        }),
      read: () => member.call("identity/status"),
    },
  ];
}

function operatorSinks(support: Operator, finance: Operator, world: World): Sink[] {
  return [
    {
      name: "a reason",
      async write(reason) {
        const listed = JSON.parse((await finance.call("member/list")).text) as {
          readonly data: { readonly items: readonly { readonly memberId: string }[] };
        };
        const memberId = listed.data.items[0]?.memberId;
        return finance.call("correction/propose", { memberId, wallet: "practice", amount: "1.00", reason });
      },
      read: () => finance.call("correction/list", {}),
    },
    {
      name: "a reason, in the audit trail",
      write: (reason) => support.call("member/suspend", { memberId: "usr_0000000000000", reason }).then(asWritten),
      read: () => operator(world, "auditor").call("audit/list", {}),
    },
  ];
}

/** Treats a refused request as readable, since it is recorded too, with its reason. */
function asWritten(answer: Answer): Answer {
  return answer.status === 403 ? { ...answer, status: 200 } : answer;
}

function operator(world: World, role: "support" | "finance" | "auditor"): Operator {
  const found = world.operators.get(role);
  if (found === undefined) throw new Error(`no operator has the role ${role}`);
  return found;
}
