import type { Events } from "../../../platform/events.ts";
import { memberDeleted } from "../../members/members/index.ts";
import * as repository from "./repository.ts";

/** The guide that leads an admin through an empty club. */
export function makeGuide({ events }: { events: Events }): object {
  events.on(memberDeleted, (tx, { memberId }) => repository.forget(tx, memberId));
  return {};
}
