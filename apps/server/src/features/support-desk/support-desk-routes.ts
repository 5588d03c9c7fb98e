import { accept, parseId, refuse } from "@fairtick/domain";
import {
  supportAssign,
  supportAttach,
  supportCanned,
  supportChat,
  supportClose,
  supportDeleteCanned,
  supportInbox,
  supportAnswer,
  supportSaveCanned,
  supportSeen,
  supportWriting,
} from "@fairtick/protocol/operator";
import type { BusEvents } from "../../platform/bus.ts";
import { operatorFileRoute, type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import type { FileStore } from "../files/index.ts";
import type { OperatorContext } from "../operators/index.ts";
import { deleteCanned, listCanned, saveCanned } from "./canned-answers.ts";
import { answerMember, changeThread, knownThread, listInbox, readChat } from "./inbox.ts";

/** Routes for customer service's inbox and its canned answers. */
export function supportDeskRoutes(
  { bus, clock }: Pick<OperatorContext, "bus" | "clock">,
  files: FileStore,
): OperatorRoute[] {
  const tell = (memberId: bigint, what: BusEvents["support"]["what"], messageId: bigint | null = null) => {
    bus.publish("support", { memberId, from: "operator", what, messageId });
  };
  return [
    operatorRoute(supportInbox, ({ db, session, input }) => listInbox(db, session, input)),
    operatorRoute(supportChat, ({ db, input }) => readChat(db, input)),
    operatorRoute(supportAnswer, async ({ db, session, input, afterCommit }) => {
      const answered = await answerMember(db, session, input);
      if (!answered.ok) return answered;
      const { message, memberId, fresh } = answered.value;
      if (fresh !== null) afterCommit(() => tell(memberId, "message", fresh));
      return accept(message);
    }),
    operatorRoute(supportSeen, async ({ db, session, input, afterCommit }) => {
      const done = await changeThread(db, session, input.memberId, "read");
      if (!done.ok) return done;
      afterCommit(() => tell(done.value, "read"));
      return accept(null);
    }),
    operatorRoute(supportAssign, async ({ db, session, input, afterCommit }) => {
      const done = await changeThread(db, session, input.memberId, input.mine ? "take" : "giveBack");
      if (!done.ok) return done;
      afterCommit(() => tell(done.value, "thread"));
      return accept(null);
    }),
    operatorRoute(supportClose, async ({ db, session, input, afterCommit }) => {
      const done = await changeThread(db, session, input.memberId, "close");
      if (!done.ok) return done;
      afterCommit(() => tell(done.value, "thread"));
      return accept(null);
    }),
    operatorRoute(supportWriting, async ({ db, input, afterCommit }) => {
      const memberId = await knownThread(db, input.memberId);
      if (memberId !== null) afterCommit(() => tell(memberId, "typing"));
      return null;
    }),
    operatorFileRoute(supportAttach, async ({ session, input, file }) => {
      const memberId = parseId("member", input.memberId);
      return memberId === null
        ? refuse("NOT_FOUND")
        : files.storeSent(session, memberId, { path: file.path, name: input.name ?? file.name }, clock.now());
    }),
    operatorRoute(supportCanned, ({ db }) => listCanned(db)),
    operatorRoute(supportSaveCanned, async ({ db, session, input, about }) => {
      const saved = await saveCanned(db, session, input);
      if (saved.ok) about(saved.value.name);
      return saved;
    }),
    operatorRoute(supportDeleteCanned, ({ db, session, input }) => deleteCanned(db, session, input.name)),
  ];
}
