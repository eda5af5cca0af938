import type { Api } from "@krug/contract/api";
import { afterEach, beforeEach } from "vitest";
import { aPicture, asDataUrl } from "./a-picture.ts";
import { type Listening, listen } from "./listen.ts";
import { type Club, type Person, startClub } from "./start-club.ts";

export let club: Club;
export let anna: Person;
export let staff: Person;
const streams: Listening[] = [];

/** Each test of this file gets a club with a member who may write, and a moderator who may answer. */
export function openSupport(): void {
  beforeEach(async () => {
    club = await startClub({ localServer: "off", look: false });
    anna = await club.member({ username: "anna" });
    staff = await club.moderator({ username: "mod", row: { display_name: "Модератор" } });
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.leave();
    await club.stop();
  });
}
export type NewMessage = Api["POST /support/messages"]["body"];
export const writes = (who: Person, body: NewMessage | string, key?: string) =>
  club.as(who).call("POST /support/messages", {
    body: typeof body === "string" ? { content: body } : body,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
export const answers = (who: Person, to: Person, body: NewMessage | string, key?: string) =>
  club.as(who).call("POST /admin/support/conversations/{userId}/messages", {
    params: { userId: to.id },
    body: typeof body === "string" ? { content: body } : body,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
export const thread = (who: Person, query: Api["GET /support/messages"]["query"] = {}) =>
  club.as(who).call("GET /support/messages", { query });
export const said = async (who: Person, query = {}) => (await thread(who, query)).body.map(({ content }) => content);
export const unread = async (who: Person) => (await club.as(who).call("GET /support/unread")).body;
export const conversations = (who: Person, query = {}) =>
  club.as(who).call("GET /admin/support/conversations", { query });
export const opens = (who: Person, about: object = {}, key?: string) =>
  club.as(who).call("POST /support/tickets", {
    body: { subject: "Счёт", description: "Не приходит", ...about },
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
export const changes = (who: Person, id: string, body: object) =>
  club.as(who).call("PUT /admin/support/tickets/{id}", { params: { id }, body });

export const assigns = (who: Person, to: Person, holder: Person | null, expected?: Person | null) =>
  club.as(who).call("PUT /admin/support/conversations/{userId}/assignee", {
    params: { userId: to.id },
    body: {
      assignedTo: holder?.id ?? null,
      ...(expected === undefined ? {} : { expected: { assignedTo: expected?.id ?? null } }),
    },
  });
export const holder = async (of: Person, by = staff) =>
  (await conversations(by, { userId: of.id })).body[0]?.assignedTo?.id ?? null;

export const hears = async (who: Person, path: string, lastSeenId?: string) => {
  const stream = await listen(`${club.origin}/api${path}`, {
    token: who.token,
    ...(lastSeenId === undefined ? {} : { lastSeenId }),
  });
  streams.push(stream);
  return stream;
};

export const PNG = await aPicture();
export const image = (bytes = PNG, media = "image/png") => asDataUrl(bytes, media);
