import { MOST_NOTES } from "@krug/domain/note-rules";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let moderator: Person;
beforeAll(async () => {
  club = await startClub({ localServer: "off" });
  admin = await club.admin({ username: "chief", row: { display_name: "Глава" } });
  moderator = await club.moderator({ username: "helper" });
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const write = (who: Person, about: Person, content: string) =>
  club.as(who).call("POST /admin/users/{id}/notes", { params: { id: about.id }, body: { content } });
const read = async (who: Person, about: Person, as?: "moderator") =>
  (
    await club
      .as(who)
      .call("GET /admin/users/{id}/notes", { params: { id: about.id }, query: as === undefined ? {} : { as } })
  ).body;
const remove = (who: Person, about: Person, noteId: string) =>
  club.as(who).call("DELETE /admin/users/{id}/notes/{noteId}", { params: { id: about.id, noteId } });

test("a note says who wrote it and when, the newest first; both admins and moderators write and read", async () => {
  const boris = await club.member();
  expect((await write(admin, boris, "  Просил два устройства.\nОтвечает вечером.  ")).status).toBe(201);
  const at = club.clock.now().toISOString();
  club.clock.advance(1_000);
  await write(moderator, boris, "Перезвонить");
  const seen = await read(moderator, boris);
  expect(seen.map(({ content, by, mayDelete }) => [content, by?.username, mayDelete])).toEqual([
    ["Перезвонить", "helper", true],
    ["Просил два устройства.\nОтвечает вечером.", "chief", false],
  ]);
  expect(seen[1]?.createdAt).toBe(at);
});

test("the member sees nothing of it: no call returns it, and their data export leaves it out", async () => {
  const boris = await club.member();
  await write(admin, boris, "Тайная мысль о нём");
  expect((await club.as(boris).call("GET /admin/users/{id}/notes", { params: { id: boris.id } })).code).toBe(
    "auth.forbidden",
  );
  const own = await club.as(boris).send("GET", "/api/users/me/export");
  expect(own.status).toBe(200);
  expect(JSON.stringify(own.body)).not.toContain("Тайная мысль");
  expect(JSON.stringify((await club.as(boris).call("GET /auth/me")).body)).not.toContain("note");
});

test("authors delete their own notes, admins any; moderators not another's", async () => {
  const boris = await club.member();
  const byAdmin = (await write(admin, boris, "a")).body.id;
  const byModerator = (await write(moderator, boris, "b")).body.id;
  expect((await remove(moderator, boris, byAdmin)).code).toBe("auth.forbidden");
  expect((await remove(admin, boris, byModerator)).status).toBe(204);
  expect((await remove(admin, boris, byModerator)).code).toBe("note.not_found");
  const other = await club.member();
  expect((await remove(admin, other, byAdmin)).code, "it is another member's").toBe("note.not_found");
  expect((await read(admin, boris)).map(({ id }) => id)).toEqual([byAdmin]);
});

test("a VIP member's notes do not exist for a moderator, and a VIP author is not named", async () => {
  const vip = await club.member({ row: { is_vip: 1 } });
  const { id } = (await write(admin, vip, "c")).body;
  const at = (who: Person, as?: "moderator") =>
    club.as(who).call("GET /admin/users/{id}/notes", { params: { id: vip.id }, query: as ? { as } : {} });
  expect((await at(moderator)).code).toBe("member.not_found");
  expect((await at(admin, "moderator")).code).toBe("member.not_found");
  expect((await write(moderator, vip, "d")).code).toBe("member.not_found");
  expect((await remove(moderator, vip, id)).code).toBe("member.not_found");
  const quiet = await club.admin({ row: { is_vip: 1 } });
  const boris = await club.member();
  await write(quiet, boris, "e");
  expect((await read(moderator, boris))[0]?.by).toBeNull();
  expect((await read(admin, boris))[0]?.by?.id).toBe(quiet.id);
});

test("the list of members shows how many notes there are; deleting a member deletes their notes", async () => {
  const boris = await club.member({ username: "noted-boris" });
  await club.member({ username: "noted-anna" });
  await write(admin, boris, "f");
  const counts = async () =>
    (await club.as(moderator).call("GET /users", { query: { q: "noted-" } })).body.map(({ noteCount }) => noteCount);
  expect(await counts()).toEqual([0, 1]);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  const rows = (await club.allRows()).get("member_notes") ?? [];
  expect(rows.filter((row) => row.member_id === boris.id)).toEqual([]);
});

test("the audit records a note without its text", async () => {
  const boris = await club.member();
  const { id } = (await write(admin, boris, "Секретная подробность")).body;
  await remove(admin, boris, id);
  const log = (await club.as(moderator).call("GET /admin/audit")).body.slice(0, 2);
  expect(log.map(({ action }) => action).sort()).toEqual(["note.added", "note.deleted"]);
  expect(log[0]?.member?.id).toBe(boris.id);
  expect(JSON.stringify((await club.allRows()).get("audit"))).not.toContain("Секретная подробность");
});

test(`a note's length is limited, and a member has at most ${MOST_NOTES} notes`, async () => {
  const boris = await club.member();
  for (const bad of ["", "  \n ", "х".repeat(2_001), "\u202eevil", "a\u0000b"])
    expect((await write(admin, boris, bad)).code, JSON.stringify(bad)).toBe("request.invalid");
  for (let n = 0; n < MOST_NOTES; n++) {
    if (n % 50 === 0) club.clock.advance(61_000);
    await write(admin, boris, `note ${n}`);
  }
  club.clock.advance(61_000);
  const refused = await write(admin, boris, "one more");
  expect([refused.code, refused.message]).toEqual(["note.too_many", expect.stringContaining("100")]);
});
