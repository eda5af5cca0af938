import { type Api, contract } from "@krug/contract/api";
import { type EndpointSpec, isStream } from "@krug/contract/endpoint";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { enabled } from "../testing/second-factor.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";
import { addWebhook } from "../testing/webhook-double.ts";
import { sealedColumns } from "./sealed.ts";

/*
 * A secret that does not open (a damaged row, a lost master key) is a loss of its own. It must not take away the screens from which
 * the rest of the club is run, or on which the loss is repaired.
 */
let club: Club;
let admin: Person;
let boris: Person;
let code: string;
/** By a word of the path. */
const ids = new Map<string, string>();
beforeAll(async () => {
  club = await startClub();
  [admin, boris] = [await club.admin(), await club.member()];
  const staff = club.as(admin);
  ids.set("webhooks", (await addWebhook(club)).id);
  const [server] = (await staff.call("GET /admin/servers")).body;
  const [tunnel] = (await staff.call("GET /admin/servers/interfaces")).body;
  ids.set("servers", server?.id ?? "").set("interfaces", tunnel?.id ?? "");
  const wish = { interfaces: [tunnel?.id ?? ""], maxUses: 3, subscriptionDays: 3 };
  const invite = (await staff.call("POST /admin/invite-codes", { body: wish })).body;
  ids.set("invite-codes", invite.id);
  code = invite.code;
  await join("anna");
  await enabled(club, admin);
  const { id } = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body;
  ids.set("configs", id).set("users", boris.id).set("totp", boris.id);
  await club.settle();
  for (const { table, column } of sealedColumns)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = 'v1.AAAA' where ${sql.ref(column)} <> ''`.execute(
      club.db,
    );
  await club.restart();
});
afterAll(() => club.stop());

async function join(username: string) {
  const body = { username, password: "a good Password 1", inviteCode: code };
  expect((await club.guest.call("POST /auth/register", { body })).status).toBe(201);
}

const reads = Object.values(contract)
  .flatMap((feature) => Object.values<EndpointSpec>(feature))
  .filter(({ method, answer }) => method === "GET" && !isStream(answer))
  .map((spec): [string, EndpointSpec] => [`${spec.method} ${spec.path}` as keyof Api, spec]);

test.each(reads)("%s does not fail because a secret cannot be opened", async (_, { path, access }) => {
  const words = path.split("/");
  const whole = words.map((word, at) =>
    word.startsWith("{")
      ? (words
          .slice(0, at)
          .reverse()
          .flatMap((each) => ids.get(each) ?? [])[0] ?? boris.id)
      : word,
  );
  const who = access === "member" ? boris : admin;
  const answer = await club.as(who).send("GET", `/api${whole.join("/")}`);
  expect([answer.status, answer.code]).not.toEqual([500, "internal"]);
});

test("an invite code that cannot be shown still admits whoever has it", () => join("vera"));

test("a device's owner reads what to do, and a new key ends it", async () => {
  const params = { id: ids.get("configs") ?? "" };
  expect((await club.as(boris).call("GET /vpn/configs/{id}/download", { params })).code).toBe("config.secret_lost");
  expect((await club.as(boris).call("POST /vpn/configs/{id}/key", { params, body: {} })).status).toBe(200);
  expect((await club.as(boris).call("GET /vpn/configs/{id}/download", { params })).status).toBe(200);
});
