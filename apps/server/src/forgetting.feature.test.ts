import { WEBHOOK_EVENTS } from "@krug/domain/webhook-rules";
import { afterEach, beforeEach, expect, test } from "vitest";
import { choices, configInput } from "../testing/config-input.ts";
import { botWorks, linkTelegram, withBot } from "../testing/link-telegram.ts";
import { type Club, PASSWORD, type Person, startClub } from "../testing/start-club.ts";
import { DOUBLE_TOKEN, startTelegramDouble, type TelegramDouble } from "../testing/telegram-double.ts";
import { makeTell } from "./features/messages/inbox/tell.ts";

/* A deleted member is named nowhere (decisions, section 2). */
const LOGIN = "praskovya77";
const NAME = "Прасковья Ивановна";
const TELEGRAM_ID = 987_654_321;
/** What would identify them, in any letter case. */
const TRACES = [LOGIN, "прасков", "prask", String(TELEGRAM_ID)];

let telegram: TelegramDouble;
let club: Club;
let admin: Person;
beforeEach(async () => {
  telegram = await startTelegramDouble();
  club = await startClub({ environment: withBot(telegram, DOUBLE_TOKEN) });
  await botWorks(club);
  admin = await club.admin({ username: "chief" });
});
afterEach(async () => {
  await club.stop();
  await telegram.close();
});

/** Where the traces are: table and column. */
async function traces(): Promise<string[]> {
  const found = new Set<string>();
  for (const [table, rows] of await club.allRows())
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const text = (Buffer.isBuffer(value) ? value.toString() : (JSON.stringify(value) ?? "")).toLowerCase();
        if (TRACES.some((trace) => text.includes(trace))) found.add(`${table}.${column}`);
      }
  return [...found].toSorted();
}

/** A member with everything a member can have. */
async function everything(): Promise<Person> {
  const by = club.as(admin);
  const ok = async (answer: Promise<{ status: number; code: string | undefined }>) => {
    const { status, code } = await answer;
    expect([status, code]).toEqual([expect.toSatisfy((given: number) => given < 300), undefined]);
  };
  await ok(by.call("POST /auth/confirm-password", { body: { password: PASSWORD } }));
  await ok(
    by.call("POST /admin/webhooks", {
      body: { url: "https://93.184.216.34/hook", description: "Bot", events: [...WEBHOOK_EVENTS] },
    }),
  );
  await ok(
    by.call("PUT /admin/payments/settings", { body: { price: 500, currency: "RUB", details: "Карта" } as never }),
  );

  const boris = await club.member({ username: "boris", configLimit: 9 });
  const { code } = (await club.as(boris).call("POST /users/generate-invite", { body: {} })).body;
  const joined = await club.guest.call("POST /auth/register", {
    body: { username: LOGIN, password: PASSWORD, inviteCode: code },
  });
  expect(joined.status).toBe(201);
  const token = (joined.body as unknown as { token: string }).token;
  const own = club.withToken(token);
  const { id } = (await own.call("GET /auth/me")).body as unknown as { id: string };
  const she: Person = { id, username: LOGIN, password: PASSWORD, token };
  await ok(own.call("POST /users/accept-rules"));

  const params = { id };
  await ok(by.call("PUT /users/{id}", { params, body: { displayName: NAME, vpnConfigLimit: 5 } }));
  await ok(by.call("PUT /users/{id}", { params, body: { displayName: `${NAME} Петрова` } }));
  await linkTelegram(club, telegram, she, {
    id: TELEGRAM_ID,
    first_name: "Прасковья",
    username: "praskovya_there",
    language_code: "ru",
  });
  for (const name of ["prask-laptop", "prask-phone"])
    await ok(own.call("POST /vpn/configs", { body: await configInput(club, she, { name }) }));
  const [config] = (await own.call("GET /vpn/configs")).body;
  await ok(by.call("DELETE /vpn/configs/{id}", { params: { id: config?.id ?? "" } }));
  await ok(
    own.call("POST /api-tokens", { body: { name: "praskovya's bot", scopes: ["configs:read"], days: 5 } as never }),
  );
  await ok(own.call("POST /support/messages", { body: { content: `Пишет ${NAME}` } as never }));
  await ok(own.call("POST /support/tickets", { body: { subject: `От ${NAME}`, description: NAME } as never }));
  await ok(
    by.call("POST /admin/support/conversations/{userId}/messages", {
      params: { userId: id },
      body: { content: `Здравствуйте, ${NAME}` } as never,
    }),
  );
  await ok(by.call("POST /admin/users/{id}/notes", { params, body: { content: `${NAME} просила` } }));
  await ok(
    by.call("POST /telegram/notify/{userId}", { params: { userId: id }, body: { message: `${NAME}, завтра встреча` } }),
  );
  await ok(by.call("POST /admin/users/bulk", { body: { ids: [id], action: "message", message: NAME } as never }));
  await ok(own.call("POST /payments/claim", { body: {} }));
  const period = club.clock.now().toISOString().slice(0, 7);
  for (const status of ["paid", "overdue", "paid"] as const)
    await ok(by.call("PUT /admin/payments/status", { body: { userId: id, status, period, note: `Платит ${NAME}` } }));
  const place = await choices(club, she);
  await ok(by.call("POST /admin/servers/interfaces/assign", { body: { userId: id, interfaceId: place.interfaceId } }));
  await ok(
    by.call("POST /admin/rules", { body: { type: "blacklist", target: "192.0.2.7", appliesTo: [id, boris.id] } }),
  );
  await ok(by.call("POST /users/{id}/password-link", { params }));
  await ok(club.guest.call("POST /auth/login", { body: { username: LOGIN, password: PASSWORD } }));
  await club.guest.call("POST /auth/login", { body: { username: LOGIN, password: "wrong-password" } });
  for (const isActive of [false, true]) await ok(by.call("PUT /users/{id}", { params, body: { isActive } }));
  await ok(by.call("PUT /users/{id}", { params, body: { subscriptionEnd: "2026-12-20" } as never }));

  const ends = { days: 3 as const, endsAt: club.clock.now().toISOString(), friend: NAME };
  await club.transact((tx) =>
    makeTell(club.app.parts)(tx, [{ memberId: boris.id, told: { kind: "referral_ends", params: ends }, about: id }]),
  );
  return she;
}

test("nothing in the database names a deleted member, whoever was notified of them", async () => {
  const she = await everything();
  await club.settle();
  const before = await traces();
  // Otherwise nothing would be proved.
  const kinds = ((await club.allRows()).get("notices") ?? []).map(({ kind }) => kind);
  for (const kind of ["member_joined", "ticket_opened", "staff_message", "referral_ends"])
    expect(kinds).toContain(kind);
  for (const place of ["members.username", "notices.params", "audit_names.after", "support_messages.content"])
    expect(before).toContain(place);
  expect((await club.as(admin).call("DELETE /users/{id}", { params: { id: she.id } })).status).toBe(204);
  await club.settle();
  expect(await traces()).toEqual([]);
});
