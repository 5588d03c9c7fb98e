import {
  announcementList,
  announcementPreview,
  announcementPublish,
  announcementSave,
  announcementWithdraw,
  noticeMessage,
} from "@fairtick/protocol/operator";
import { type OperatorRoute, operatorRoute } from "../../platform/console/index.ts";
import {
  listAnnouncements,
  previewAnnouncement,
  publishAnnouncement,
  saveAnnouncement,
  withdrawAnnouncement,
  writeToMember,
} from "./announcements.ts";

/** Routes for announcements, from draft to withdrawal, and for messages to one member. */
export function noticeDeskRoutes(): OperatorRoute[] {
  return [
    operatorRoute(announcementList, ({ db, input }) => listAnnouncements(db, input)),
    operatorRoute(announcementSave, async ({ db, session, input, about }) => {
      const saved = await saveAnnouncement(db, session, input);
      if (saved.ok) about(saved.value.noticeId);
      return saved;
    }),
    operatorRoute(announcementPreview, ({ db, input }) => previewAnnouncement(db, input.noticeId, input.language)),
    operatorRoute(announcementPublish, ({ db, session, input }) => publishAnnouncement(db, session, input.noticeId)),
    operatorRoute(announcementWithdraw, ({ db, session, input }) => withdrawAnnouncement(db, session, input)),
    operatorRoute(noticeMessage, ({ db, session, input }) => writeToMember(db, session, input)),
  ];
}
