import type { Api } from "@krug/contract/api";
import { MOST_ANSWER_LETTERS, MOST_ANSWER_TEMPLATES, MOST_ANSWER_TITLE_LETTERS } from "@krug/domain/answer-templates";
import { afterEach, beforeEach, expect, test } from "vitest";
import { auditOf, unnamedFields } from "../../../../testing/audit-of.ts";
import { detailsOf } from "../../../../testing/details-of.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let moderator: Person;
beforeEach(async () => {
  club = await startClub({ localServer: "off", look: false });
  admin = await club.admin({ username: "chief" });
  moderator = await club.moderator({ username: "helper" });
});
afterEach(() => club.stop());

type Input = Api["POST /admin/support/answer-templates"]["body"];
const send = (input: Partial<Input> = {}, who = admin) =>
  club.as(who).call("POST /admin/support/answer-templates", {
    body: { title: "Оплата", content: "Здравствуйте, {имя}! Перевод видим.", ...input },
  });
const change = (id: string, body: Api["PUT /admin/support/answer-templates/{id}"]["body"], who = admin) =>
  club.as(who).call("PUT /admin/support/answer-templates/{id}", { params: { id }, body });
const remove = (id: string, who = admin) =>
  club.as(who).call("DELETE /admin/support/answer-templates/{id}", { params: { id } });
const list = async (who = moderator) => (await club.as(who).call("GET /admin/support/answer-templates")).body;

test("admins manage them; moderators read them by title, with raw placeholders, and change nothing", async () => {
  const { id } = (await send({ content: "  Здравствуйте, {имя}!\nВаш логин {логин}.  " })).body;
  await send({ title: "замена ключа" });
  await send({ title: "Вход" });
  expect((await list()).map(({ title }) => title)).toEqual(["Вход", "замена ключа", "Оплата"]);
  expect((await list())[2]).toEqual({ id, title: "Оплата", content: "Здравствуйте, {имя}!\nВаш логин {логин}." });
  expect((await change(id, { title: "Счёт" })).body).toMatchObject({ id, title: "Счёт" });
  for (const refused of [send({ title: "x" }, moderator), change(id, { title: "x" }, moderator), remove(id, moderator)])
    expect((await refused).code).toBe("auth.forbidden");
  expect((await remove(id)).status).toBe(204);
  expect((await remove(id)).code).toBe("answer_template.not_found");
  expect((await change(id, { title: "x" })).code).toBe("answer_template.not_found");
  expect((await list()).map(({ title }) => title)).toEqual(["Вход", "замена ключа"]);
});

test("an unknown placeholder is refused by name, when a template is added and when it is changed", async () => {
  const late = await send({ content: "До {дата}" });
  expect([late.code, detailsOf(late).field, late.message]).toEqual([
    "answer_template.placeholder_unknown",
    "content",
    expect.stringContaining("{дата}"),
  ]);
  const { id } = (await send()).body;
  expect((await change(id, { content: "{сумма}" })).code).toBe("answer_template.placeholder_unknown");
  expect((await change(id, { content: "{ПРОСТО} {имя}" })).code).toBe("answer_template.placeholder_unknown");
  expect((await list())[0]?.content).toBe("Здравствуйте, {имя}! Перевод видим.");
});

test.each<[string, object]>([
  ["no title", { title: " " }],
  ["a long title", { title: "я".repeat(MOST_ANSWER_TITLE_LETTERS + 1) }],
  ["a title of two lines", { title: "a\nb" }],
  ["no text", { content: " \n " }],
  ["a long text", { content: "я".repeat(MOST_ANSWER_LETTERS + 1) }],
  ["a text that reads otherwise than it is", { content: "\u202egnp" }],
  ["a field nobody knows", { shared: true }],
])("%s is refused", async (_, input) => {
  expect((await send(input)).code).toBe("request.invalid");
  expect(await list()).toEqual([]);
});

test("titles are unique regardless of case; of two who change one the second is refused", async () => {
  const { id } = (await send()).body;
  const other = (await send({ title: "Вход" })).body;
  const taken = await send({ title: " ОПЛАТА " });
  expect([taken.code, detailsOf(taken).field]).toEqual(["answer_template.title_taken", "title"]);
  expect((await change(other.id, { title: "оплата" })).code).toBe("answer_template.title_taken");
  expect((await change(id, { title: "ОПЛАТА" })).body.title).toBe("ОПЛАТА");
  const late = await change(id, { content: "Другое", title: "Счёт", expected: { content: "x", title: "ОПЛАТА" } });
  expect([late.code, detailsOf(late).fields]).toEqual(["answer_template.changed_meanwhile", ["content"]]);
  expect((await list())[1]).toMatchObject({ title: "ОПЛАТА", content: "Здравствуйте, {имя}! Перевод видим." });
});

test("of two who add the same title at once one is refused, and there are at most a hundred", async () => {
  // One person's creations are serialised anyway.
  const admins = await Promise.all(Array.from({ length: 6 }, () => club.admin()));
  const codes = (await Promise.all(admins.map((who) => send({}, who)))).map(({ code }) => code);
  expect(codes.sort()).toEqual([...Array(5).fill("answer_template.title_taken"), undefined]);
  // A member may make sixty creations a minute.
  club.clock.advance(61_000);
  for (let n = 1; n < MOST_ANSWER_TEMPLATES; n++) {
    club.clock.advance(1_100);
    await send({ title: `Заготовка ${n}` });
  }
  club.clock.advance(1_100);
  const refused = await send({ title: "Ещё одна" });
  expect([refused.code, detailsOf(refused).most]).toEqual(["answer_template.too_many", MOST_ANSWER_TEMPLATES]);
  expect(await list()).toHaveLength(100);
});

test("each act is in the audit with the values before and after; an unchanged value is not", async () => {
  const { id } = (await send()).body;
  club.clock.advance(1_000);
  await change(id, { content: "Видим" });
  await change(id, { content: "Видим" });
  club.clock.advance(1_000);
  await remove(id);
  const entries = await auditOf(club, id);
  expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
    ["answer_template.deleted", admin.id],
    ["answer_template.changed", admin.id],
    ["answer_template.added", admin.id],
  ]);
  expect(entries[1]).toMatchObject({ before: { title: "Оплата" }, after: { title: "Оплата", content: "Видим" } });
  expect(await unnamedFields(club.db)).toEqual([]);
});
