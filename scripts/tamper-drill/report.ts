import { NOTICED_MS_MAX, type Result } from "./attack.ts";

const HEAD = `# The tamper drill

\`npm run tamper-drill\` starts a product of its own, lets a member trade, and then attacks it while it runs, as superuser of
the database and with the server's folder at hand. It wrote this page from what happened; nothing below was typed in.

Each attack is tried with the session's triggers off (\`session_replication_role = replica\`) first. Where the database refuses
that, the guards are taken off the table itself, so what is shown is what becomes evident outside the database. Then all
look twice a second, for ${NOTICED_MS_MAX / 1000} seconds at most: \`fairtick verify\` on the receipt and on the log, the member's app (the very code
that runs in it), the running server. They are asked nothing but what they always look at. What the attack changed is put
back, and only sentences that nobody said before it count. The time of what is kept out of the log begins when it is due: heads
and prices at the end of the minute, a seed ten seconds after its epoch; that of the late order when it is settled.
`;

const FOOT = `
**NOT NOTICED** means what it says: within ${NOTICED_MS_MAX / 1000} seconds nobody of these said anything that names a fault; \`try again in a moment\` is none.

What the drill does not try: a price bent inside the market process before it is published (its seed tells, when the
epoch is over: up to ten minutes later); a minted order whose settlement, postings and balances are all forged to fit each other;
a rollback that takes the witness's memory back too (\`--age 60\` makes those that it tries an hour long; a run without goes back
to a copy that was made when the drill had traded); a fork after what the app has seen together
with receipts that are forged to fit it (here they come from the true log): one app alone cannot notice that, two people who
compare their checkpoints can. A fork is shown to an app that has seen the log before, by
an attacker who may also hold the witness's key, because the witness that comes with the product runs on the same machine:
against the house only a witness elsewhere is one.
`;

export function writeReport(results: readonly Result[], facts: string): string {
  const noticed = results.filter(({ seconds }) => seconds !== null).length;
  return [
    HEAD,
    facts,
    "",
    `${noticed} of ${results.length} attacks were noticed.`,
    "",
    "| attack | refused at first with | who noticed | after | the sentence |",
    "|---|---|---|---|---|",
    ...results.map(rowOf),
    FOOT,
  ].join("\n");
}

function rowOf({ what, refused, notices, seconds }: Result): string {
  const [first, ...others] = firstOfEach(notices);
  const also = others.map(({ who }) => who).join(", ");
  const cells = [
    what,
    refused ?? "not refused",
    first === undefined ? "**NOT NOTICED**" : `${first.who}${also === "" ? "" : `; also ${also}`}`,
    seconds === null ? "–" : `${seconds.toFixed(1)} s`,
    first?.sentence ?? "–",
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")).join(" | ")} |`;
}

function firstOfEach(notices: Result["notices"]): Result["notices"] {
  return notices.filter(({ who }, place) => notices.findIndex((each) => each.who === who) === place);
}
