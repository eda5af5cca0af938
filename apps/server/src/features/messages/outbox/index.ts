export { makeOutbox, type Outbox } from "./outbox.ts";
export { type Said, sayNotice } from "./said.ts";
export {
  makeSendNotices,
  type NoticeToSend,
  type Outcome,
  type SendingParts,
  type Way,
} from "./send-notices.ts";
