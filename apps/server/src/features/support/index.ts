import { memberDeleted } from "../members/index.ts";
import { makeLists } from "./lists.ts";
import { makeOwnConversation } from "./own-conversation.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";

export { supportAnswered, supportSeen, ticketOpened } from "./events.ts";

export type Support = ReturnType<typeof makeSupport>;

/** Members write to staff and staff answer: a chat and tickets, on one line of messages for each member (decisions, section 10). */
export function makeSupport(parts: SupportParts) {
  parts.events.on(memberDeleted, (tx, { memberId }) => repository.deleteAll(tx, memberId));
  return {
    unseenAnswers: repository.unseenAnswers,
    ownData: { support: makeOwnConversation(parts) },
    /** The newest tickets with a text in their subjects. */
    ticketsAbout: makeLists(parts.members).ticketsAbout,
  };
}
