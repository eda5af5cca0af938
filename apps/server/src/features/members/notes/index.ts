import type { Events } from "../../../platform/events.ts";
import { memberDeleted } from "../members/index.ts";
import * as repository from "./repository.ts";

/** Staff's notes about members, for each other; a member's data export leaves them out (ADR 53). */
export function makeNotes({ events }: { events: Events }) {
  events.on(memberDeleted, (tx, { memberId }) => repository.removeAllOn(tx, memberId));
  return { countsOf: repository.countsOf };
}
