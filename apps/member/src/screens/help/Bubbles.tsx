import { StoredPicture } from "../../components/upload/PictureOf.tsx";
import { DocumentOf } from "./DocumentOf.tsx";
import type { SupportMessage } from "../../data/support.ts";
import type { Pending } from "../../data/support-draft.ts";
import { formatMinute } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";

/** A message from either side, with its time and whether it was read. */
export function SaidBubble({ message }: { readonly message: SupportMessage }) {
  const t = useText();
  const isMine = message.from === "member";
  const time = formatMinute(message.createdAt);
  return (
    <div className={isMine ? "said mine" : "said"} data-testid={isMine ? "said" : "answer"}>
      {message.fileId !== null &&
        (message.fileName === null ? (
          <StoredPicture fileId={message.fileId} alt={t("chat.picture")} />
        ) : (
          <DocumentOf fileId={message.fileId} name={message.fileName} />
        ))}
      {message.text !== null && <span className="said-words">{message.text}</span>}
      <span className="note">
        {isMine
          ? [time, message.readAt === null ? null : t("chat.read")].filter((part) => part !== null).join(" · ")
          : `${message.name === "" ? t("chat.support") : message.name} · ${time}`}
      </span>
    </div>
  );
}

/** A message being sent or failed. If it failed, a tap tries again with the same client id. */
export function PendingBubble({
  saying,
  failed,
  onRetry,
}: Pending & {
  readonly onRetry: () => void;
}) {
  const t = useText();
  const words = (
    <>
      {saying.fileId !== undefined && <span className="said-words">{t("chat.file")}</span>}
      {saying.text !== undefined && <span className="said-words">{saying.text}</span>}
    </>
  );
  if (!failed)
    return (
      <div className="said mine">
        {words}
        <span className="note">{t("chat.sending")}</span>
      </div>
    );
  return (
    <button type="button" className="said mine" onClick={onRetry}>
      {words}
      <span className="note alert">{t("chat.failed")}</span>
    </button>
  );
}
