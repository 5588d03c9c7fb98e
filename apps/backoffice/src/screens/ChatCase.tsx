import type { SupportMessage } from "@fairtick/protocol";
import {
  fileView,
  supportAssign,
  supportChat,
  supportClose,
  type SupportEntry,
  supportSeen,
} from "@fairtick/protocol/operator";
import { Button, FailedState, Notice } from "@fairtick/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { callOperator, readPicture } from "../data/call.ts";
import { SaveDocument } from "../shared/SaveDocument.tsx";
import { useAct, useMay, useSelf } from "../data/queries.ts";
import { instant, money } from "../shared/format.ts";
import { useKeys } from "../shared/use-keys.ts";
import { WORDS } from "../shared/words.ts";
import { ChatAnswer } from "./ChatAnswer.tsx";
import { ProposeCardDeposit } from "./ProposeCardDeposit.tsx";

/** One chat with its messages and the answer form. */
export function ChatCase({ memberId, isWriting }: { readonly memberId: string; readonly isWriting: boolean }) {
  const may = useMay();
  const chat = useInfiniteQuery({
    queryKey: [supportChat.path, memberId],
    queryFn: ({ pageParam }) =>
      callOperator(supportChat, { memberId, limit: "30", ...(pageParam !== undefined && { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ messages }) => messages.nextCursor ?? undefined,
  });
  const seen = useAct(supportSeen);
  const [first] = chat.data?.pages ?? [];
  const messages = chat.data?.pages.flatMap((page) => page.messages.items).toReversed() ?? [];
  const unread = first?.entry.unread ?? 0;
  const newest = messages.at(-1)?.messageId;
  const { mutate: markSeen } = seen;
  const maySee = may("support/markRead");
  useEffect(() => {
    if (unread > 0 && maySee) markSeen({ memberId });
  }, [unread, memberId, maySee, markSeen]);
  if (chat.error)
    return <FailedState title={chat.error.message} retryLabel={WORDS.retry} onRetry={() => void chat.refetch()} />;
  if (first === undefined) return <p className="part soft">{WORDS.reading}</p>;
  return (
    <section className="chat-case" aria-label="Chat">
      <ChatHead entry={first.entry} />
      <div className="chat-said" role="log" aria-label="Messages">
        {chat.hasNextPage && (
          <Button lowkey off={chat.isFetchingNextPage} onClick={() => void chat.fetchNextPage()}>
            Earlier messages
          </Button>
        )}
        {messages.map((message) => (
          <Said key={message.messageId} message={message} memberId={memberId} />
        ))}
        {isWriting && <p className="note soft">The member is typing…</p>}
        <End key={newest} />
      </div>
      {may("support/send") && <ChatAnswer entry={first.entry} />}
    </section>
  );
}

function ChatHead({ entry }: { readonly entry: SupportEntry }) {
  const may = useMay();
  const { data: self } = useSelf();
  const assign = useAct(supportAssign);
  const close = useAct(supportClose);
  const { memberId, assignedTo, closedAt } = entry;
  const takeLabel = assignedTo === null ? "Take" : `Take over from ${assignedTo.login}`;
  const isMine = assignedTo !== null && assignedTo.operatorId === self?.operator.operatorId;
  const take = () => assign.mutate({ memberId, mine: !isMine });
  useKeys({ t: may("support/assign") && !isMine && !assign.isPending ? take : undefined });
  return (
    <header className="chat-head">
      <span className="grow">
        {entry.username ?? entry.account} · {WORDS.languages[entry.language]}
        {closedAt !== null && ` · closed ${instant(closedAt)}`}
      </span>
      {may("support/assign") && (
        <Button lowkey off={assign.isPending} onClick={take}>
          {isMine ? (
            "Release"
          ) : (
            <>
              {takeLabel} <kbd>t</kbd>
            </>
          )}
        </Button>
      )}
      {may("support/close") && closedAt === null && (
        <Button lowkey off={close.isPending} onClick={() => close.mutate({ memberId })}>
          Close
        </Button>
      )}
    </header>
  );
}

function Said({ message, memberId }: { readonly message: SupportMessage; readonly memberId: string }) {
  const may = useMay();
  const { from, name, text, fileId, fileName, topic, amount, createdAt, readAt } = message;
  const about = topic === null ? null : `${WORDS.topics[topic]}${amount === null ? "" : `, ${money(amount)} USD`}`;
  return (
    <div className={from === "operator" ? "said mine" : "said"}>
      {about !== null && <span className="label">{about}</span>}
      {fileId !== null && <ChatFile fileId={fileId} fileName={fileName} from={from} />}
      {text !== null && <span className="said-words">{text}</span>}
      <span className="note">
        {from === "operator" ? `${name} · ` : ""}
        {instant(createdAt)}
        {readAt !== null && " · read"}
      </span>
      {topic === "cardDeposit" && from === "member" && may("deposit/proposeCard") && (
        <details>
          <summary className="link">Create a deposit request</summary>
          <ProposeCardDeposit memberId={memberId} amount={amount ?? ""} />
        </details>
      )}
    </div>
  );
}

/** A file in a chat. Pictures can be shown; documents are only downloaded, never opened here. */
function ChatFile({ fileId, fileName, from }: Pick<SupportMessage, "from" | "fileName"> & { readonly fileId: string }) {
  return fileName === null ? <Picture fileId={fileId} from={from} /> : <SaveDocument fileId={fileId} name={fileName} />;
}

/** A picture, loaded on request because each view is recorded in the audit trail. */
function Picture({ fileId, from }: Pick<SupportMessage, "from"> & { readonly fileId: string }) {
  const [address, setAddress] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  useEffect(() => () => (address === null ? undefined : URL.revokeObjectURL(address)), [address]);
  async function show() {
    try {
      setAddress(URL.createObjectURL(await readPicture(fileView, { fileId })));
    } catch (failure) {
      setWrong(failure instanceof Error ? failure.message : String(failure));
    }
  }
  if (address !== null)
    return (
      <img
        className="said-picture"
        src={address}
        alt={from === "member" ? "From the member" : "From customer service"}
      />
    );
  return (
    <>
      <Button lowkey onClick={() => void show()}>
        Show picture
      </Button>
      {wrong !== null && <Notice wrong>{wrong}</Notice>}
    </>
  );
}

/** Scrolls the newest message into view. Its key changes with each message. */
function End() {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return <div ref={end} />;
}
