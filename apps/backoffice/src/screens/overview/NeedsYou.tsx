import type { ComponentType } from "react";
import { IconChat, IconDeposit, IconMembers, type IconProps, IconShield, IconWithdraw } from "@fairtick/ui";
import { age, placeOfAge } from "../../shared/ages.ts";
import { count } from "../../shared/format.ts";
import { Block } from "./Block.tsx";
import { linkOf, nameOfApprovals, type Overview, waitingIn } from "./overview.ts";

type Queue = Overview["queues"][number];

const QUEUES: Readonly<Record<Queue["queue"], { readonly name: string; readonly Icon: ComponentType<IconProps> }>> = {
  withdrawals: { name: "Withdrawals", Icon: IconWithdraw },
  deposits: { name: "Deposits", Icon: IconDeposit },
  identities: { name: "Identity checks", Icon: IconShield },
  inbox: { name: "Chats without a reply", Icon: IconChat },
  approvals: { name: "Second approvals", Icon: IconMembers },
};

/** What waits for this operator, queue by queue, with one dot for each case by its age. */
export function NeedsYou({ overview }: { readonly overview: Overview }) {
  const { queues, at } = overview;
  const open = queues.reduce((sum, queue) => sum + queue.open, 0);
  return (
    <Block title="Needs you now" about={open === 0 ? "Nothing is waiting" : `${count(open)} open`} span={2}>
      <table className="needs">
        <caption className="unseen">What waits for you</caption>
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col" className="amount">
              Open
            </th>
            <th scope="col" className="ages-head">
              <span>New</span>
              <span>1 day</span>
            </th>
            <th scope="col" className="amount">
              Oldest
            </th>
          </tr>
        </thead>
        <tbody>
          {queues.map((queue) => (
            <QueueRow key={`${queue.queue} ${queue.kind}`} queue={queue} name={nameOf(queue)} at={at} />
          ))}
        </tbody>
      </table>
    </Block>
  );
}

function nameOf(queue: Queue): string {
  return queue.queue === "approvals" ? nameOfApprovals(queue) : QUEUES[queue.queue].name;
}

interface RowProps {
  readonly queue: Queue;
  readonly name: string;
  readonly at: number;
}

function QueueRow({ queue, name, at }: RowProps) {
  const { Icon } = QUEUES[queue.queue];
  const [oldest] = waitingIn(queue, at);
  return (
    <tr>
      <th scope="row">
        <Icon size="small" />
        <a className="link" href={linkOf(queue)}>
          {name}
        </a>
      </th>
      <td className="amount">{count(queue.open)}</td>
      <td>
        <span className="ages" aria-hidden="true">
          {waitingIn(queue, at).map((ms, index) => (
            <i key={index} style={{ insetInlineStart: `${placeOfAge(ms)}%` }} />
          ))}
        </span>
      </td>
      <td className="amount">{oldest === undefined ? "–" : age(oldest)}</td>
    </tr>
  );
}
