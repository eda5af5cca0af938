export { makeOutbox, type Outbox } from "./outbox.ts";
export { type RenderedNotice, renderNotice } from "./render-notice.ts";
export {
  makeSendNotices,
  type NoticeToSend,
  type Outcome,
  type SendingParts,
  type Way,
} from "./send-notices.ts";
