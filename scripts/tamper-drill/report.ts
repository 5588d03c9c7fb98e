import { needsHouse, NOTICED_MS_MAX, OUTSIDE_MS_MAX, type Result } from "./attack.ts";
import type { KeptRuns, KeptStep } from "./kept-runs.ts";
import type { SealedResult } from "./sealed/sealed-drill.ts";

const HEAD = `# The tamper drill

\`npm run tamper-drill\` starts two products of its own, lets members trade, and attacks both while they run, as superuser of
the database and with the server's folder at hand. The tables on this page are written by the script from what happened
([tamper-drill.json](tamper-drill.json) keeps the newest run of each step); \`--part sealed\`, \`--part open\` and \`--only <step>\` try some of it again.
`;

const SEALED_HEAD = `
## Attacks on sealed orders

The house takes its prices from an exchange that the attacker owns, so the attacker knows every price before it is quoted. Each attack
that chooses among orders (by refusing, delaying, suspending or stopping) meets sealed orders of forty members, placed through the public
calls. A coin decides each direction, and another one where the price goes.

Nobody here asks the house. **The verifier** is \`fairtick verify --log\` on the public log. **The member's device** checks the answer
it got with the app's own code, and the orders it's shown and its receipt as the app does. **A member who reads their devices** or alerts sees
what they didn't add; the app shows both lists and marks nothing in them. **A stranger's statistic** compares the win rate of the accepted orders, as the log settled them, with what the refused ones would have come to on the log's own
prices once their members open them. A refusal without a signature (\`NOT_NOW\`) is in no log: the drill counts it from its members' own
records, which a stranger would have to believe. The share of voided orders that were ahead is also the drill's own count; the command
prints how many orders were voided on each side. A statistic shows a house that always chooses; one that bends one order in twenty
stays within what chance explains. *No choice by outcome* means that the 99 % interval of the difference holds zero: the attack
happened, but it could not pick winners. One attack in a hundred falls outside by chance.
*Within* counts from the beginning of the step, so it includes placing its orders, and is the latest that somebody noticed.
Somebody who always presses the same button tells their direction by that: a house that uses it can choose, and the statistic shows it.
`;

const OPEN_HEAD = `
## Attacks on tables, prices and the log

Each attack is tried with the session's triggers off (\`session_replication_role = replica\`) first. If the database refuses
that, the guards are taken off the table itself, so the table shows what becomes evident outside the database. Then everybody
looks twice a second, for ${NOTICED_MS_MAX / 1000} seconds at most: \`fairtick verify\` on the receipt and on the log, the member's app (the very code
that runs in it), and the running server. What the attack changed is put back, and only sentences that nobody said before it count.
The time for what is kept out of the log begins when it's due: heads and prices at the end of the minute, a seed ten seconds after
its epoch, the late order when it's settled.

Whoever trusts nothing that the house says reads the third column: who noticed by the public log, a receipt or what the member's device
keeps, and after how long. Where only the house's own server noticed at first, everybody went on looking for ${OUTSIDE_MS_MAX / 1000} seconds.
*Nobody* stands at what is in no log: the house's books, its operators' trail and the addresses that it stores. An operator who also
controls the server can hide those from everybody; a member sees them in a balance that is wrong, or in money that doesn't arrive. It also
stands where the server stops taking orders by itself: a log without prices shows nothing while nobody trades. A server that is made to go on is the next row.
`;

const FOOT = `
**NOT NOTICED** means that within ${NOTICED_MS_MAX / 1000} seconds nobody named a fault; \`try again in a moment\` doesn't count.

## What the drill doesn't try

- A price bent inside the market process before it's published: its seed tells when the epoch is over, up to ten minutes later.
- A minted order whose settlement, postings and balances are all forged to fit each other.
- A rollback that takes the witness's memory back too. \`--age 60\` makes the rollbacks an hour long; without it they go back to a copy made
  after the drill had traded.
- A fork after what the app has seen, together with receipts forged to fit it. One app alone can't notice that; two people who compare their
  checkpoints can. The witness that comes with the product runs on the same machine: only a witness elsewhere protects against the house.
`;

/** Writes docs/tamper-drill.md from the latest run of every step. */
export function writeReport({ open, sealed }: KeptRuns): string {
  const [openSteps, sealedSteps] = [Object.values(open), Object.values(sealed)];
  const tried = openSteps.flatMap(({ results }) => results);
  const noticed = tried.filter(({ seconds }) => seconds !== null).length;
  return [
    HEAD,
    SEALED_HEAD,
    `${spanOf(sealedSteps)} ${countOrders(sealedSteps)}`,
    "",
    "| attack | who notices | within | what they read | how the orders were answered |",
    "|---|---|---|---|---|",
    ...sealedSteps.flatMap(({ results }) => results).map(sealedRow),
    OPEN_HEAD,
    spanOf(openSteps),
    "",
    `${noticed} of ${tried.length} attacks were noticed.`,
    "",
    "| attack | refused at first with | without the house's help | who noticed first | after | the sentence |",
    "|---|---|---|---|---|---|",
    ...tried.map(openRow),
    FOOT,
  ].join("\n");
}

function spanOf(steps: readonly KeptStep<unknown>[]): string {
  if (steps.length === 0) return "Not run yet.";
  const days = steps.map(({ at }) => at.slice(0, 10)).toSorted();
  const loads = steps.map(({ load }) => load);
  const [from, to] = [days[0], days.at(-1)];
  const when = from === to ? `on ${from}` : `between ${from} and ${to}`;
  return `Run ${when}, at a load average of ${Math.min(...loads)} to ${Math.max(...loads)}.`;
}

/** Counts the orders of all attacks that choose among orders. */
function countOrders(steps: readonly KeptStep<SealedResult>[]): string {
  const answers = steps.flatMap(({ results }) => results.flatMap((result) => Object.values(result.answers ?? {})));
  const orders = answers.reduce((sum, count) => sum + count, 0);
  return orders === 0 ? "" : `The attacks that choose among orders met ${orders.toLocaleString("en")} of them.`;
}

function sealedRow({ what, notices, judgement, answers, seconds }: SealedResult): string {
  const isImpossible = judgement !== null && !judgement.isChosen;
  const who = [
    ...new Set(notices.map((notice) => notice.who)),
    ...(isImpossible ? ["nobody needs to: the direction is unknown"] : []),
  ];
  const said = firstOfEach(notices).map(({ sentence }) => sentence);
  const read = isImpossible ? [...said, judgement.sentence] : said;
  const counts =
    answers === null ? [] : Object.entries(answers).map(([name, count]) => `${count.toLocaleString("en")} ${name}`);
  return row([
    what,
    who.length === 0 ? "**NOT NOTICED**" : who.join("; "),
    notices.length === 0 || seconds === null ? "–" : `${Math.ceil(seconds)} s`,
    read.length === 0 ? "–" : read.join(" · "),
    counts.length === 0 ? "–" : counts.join(", "),
  ]);
}

function openRow({ what, refused, notices, seconds, outsideSeconds = seconds }: Result): string {
  const [first, ...others] = firstOfEach(notices);
  const outside = firstOfEach(notices.filter((notice) => !needsHouse(notice))).map(({ who }) => who);
  const also = others.map(({ who }) => who).join(", ");
  return row([
    what,
    refused ?? "not refused",
    outside.length === 0 ? "nobody" : `${outside.join(", ")}; ${outsideSeconds?.toFixed(1)} s`,
    first === undefined ? "**NOT NOTICED**" : `${first.who}${also === "" ? "" : `; also ${also}`}`,
    seconds === null ? "–" : `${seconds.toFixed(1)} s`,
    first?.sentence ?? "–",
  ]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")).join(" | ")} |`;
}

function firstOfEach<Notice extends { readonly who: string }>(notices: readonly Notice[]): readonly Notice[] {
  return notices.filter(({ who }, place) => notices.findIndex((each) => each.who === who) === place);
}
