import { randomUUID } from "node:crypto";
import type { CompiledQuery } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { isPostgres } from "../../../platform/database/database.ts";
import type { ConfigTables } from "./table.ts";

let club: Club;
let admin: Person;
let moderator: Person;
let anna: Person;
let boris: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief" });
  moderator = await club.moderator({ username: "helper" });
  anna = await club.member({ username: "anna", row: { display_name: "Анна Ким" }, configLimit: -1 });
  boris = await club.member({ username: "boris", row: { display_name: "Борис" }, configLimit: -1 });
  const vip = await club.member({ username: "secretive", row: { is_vip: 1, display_name: "Тайный" } });
  for (const [owner, name] of [
    [boris, "zebra"],
    [anna, "phone"],
    [anna, "laptop"],
    [vip, "hidden"],
  ] as const) {
    club.clock.advance(1_000);
    await make(owner, name);
  }
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const make = async (owner: Person, name: string) => {
  const { id } = (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) }))
    .body;
  await club.settle();
  return id;
};
type Query = Record<string, string | number>;
const list = (query: Query = {}, who = admin) =>
  club.as(who).call("GET /vpn/configs", { query: { scope: "all", ...query } as never });
const names = async (query: Query = {}, who = admin) => (await list(query, who)).body.map(({ name }) => name);
const rowOf = async (name: string) => {
  const [config] = (await list({ q: name })).body;
  const [row] = await club.app.parts.configs.byIds(club.db, [config?.id ?? ""]);
  if (row === undefined) throw new Error(`there is no ${name}`);
  return row;
};

test("a row shows its owner and place, and nothing of its keys", async () => {
  const { body, headers } = await list({ q: "laptop" });
  expect(headers.get("x-total-count")).toBe("1");
  expect(body[0]?.staff).toEqual({
    owner: { id: anna.id, username: "anna", displayName: "Анна Ким" },
    interfaceName: "Interface 1",
    address: expect.stringMatching(/^10\.8\.0\.\d+$/),
    addressV6: null,
    movingFrom: null,
  });
  expect(JSON.stringify(body)).not.toMatch(/private|preshared|public_?key/i);
  expect((await club.as(anna).call("GET /vpn/configs")).body.map((config) => "staff" in config)).toEqual([
    false,
    false,
  ]);
});

test.each([
  ["member", ["laptop", "phone", "zebra", "hidden"]],
  ["name", ["hidden", "laptop", "phone", "zebra"]],
  ["createdAt", ["zebra", "phone", "laptop", "hidden"]],
])("the list is sorted by %s, in both directions, in pages that lose nothing", async (sort, expected) => {
  for (const order of ["asc", "desc"]) {
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ sort, order, limit: 1, ...(cursor ? { cursor } : {}) });
      expect(page.headers.get("x-total-count")).toBe("4");
      read.push(...page.body.map(({ name }) => name));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor !== null);
    expect(read).toEqual(order === "asc" ? expected : expected.toReversed());
  }
});

test("it can be sorted by usage and by last handshake; configs without any come first", async () => {
  const [zebra, phone] = [await rowOf("zebra"), await rowOf("phone")];
  club.host.use(zebra.public_key, { rx: 1, tx: 5 }, club.clock.now().getTime() - 1_000);
  club.host.use(phone.public_key, { rx: 1, tx: 1 }, club.clock.now().getTime());
  await club.app.parts.reconciler.readAll();
  expect((await names({ sort: "traffic", order: "desc" })).slice(0, 2)).toEqual(["zebra", "phone"]);
  expect((await names({ sort: "lastHandshake", order: "desc" })).slice(0, 2)).toEqual(["phone", "zebra"]);
  expect((await names({ sort: "lastHandshake" })).slice(-2)).toEqual(["zebra", "phone"]);
});

test.each([
  ["a part of its name", "EBR", ["zebra"]],
  ["its owner's name", "ким", ["laptop", "phone"]],
  ["its owner's login", "bor", ["zebra"]],
  ["nothing like it", "10.9.", []],
  ["a sign that searches mean something by", "%", []],
])("a config is found by %s", async (_, q, expected) => {
  expect(await names({ q })).toEqual(expected);
});

test("a config is found by the beginning of its address", async () => {
  expect(await names({ q: (await rowOf("zebra")).address })).toContain("zebra");
});

test("filters: connected, never connected, blocked, to be downloaded again, waiting, by interface", async () => {
  const [zebra, phone] = [await rowOf("zebra"), await rowOf("phone")];
  club.host.use(zebra.public_key, { rx: 1, tx: 1 }, club.clock.now().getTime());
  club.host.use(phone.public_key, { rx: 1, tx: 1 }, club.clock.now().getTime() - 5 * 60_000 - 1);
  await club.app.parts.reconciler.readAll();
  expect(await names({ filter: "online" })).toEqual(["zebra"]);
  expect(await names({ filter: "never" })).toEqual(["laptop", "hidden"]);
  expect(await names({ filter: "never", q: "lap", sort: "traffic" })).toEqual(["laptop"]);

  const as = club.as(admin);
  await as.call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: false, blockConfigs: true } });
  expect(await names({ filter: "blocked" })).toEqual(["zebra"]);
  await as.call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: true } });
  expect(await names({ filter: "blocked" })).toEqual([]);

  await club.as(anna).call("GET /vpn/configs/{id}/download", { params: { id: phone.id } });
  const [dns] = (await club.as(anna).call("GET /dns")).body;
  await as.call("PUT /dns/{id}", { params: { id: dns?.id ?? "" }, body: { ips: ["9.9.9.9"] } });
  expect(await names({ filter: "stale" })).toEqual(["phone"]);

  await club.settle();
  expect(await names({ filter: "pending" })).toEqual([]);
  club.host.away = "no road";
  await make(anna, "fourth");
  expect(await names({ filter: "pending" })).toEqual(["fourth"]);
  // Configs of members who may not use the VPN do not wait.
  await as.call("PUT /users/{id}", { params: { id: anna.id }, body: { subscriptionEnd: null } });
  expect(await names({ filter: "pending" })).toEqual([]);
  await as.call("PUT /users/{id}", { params: { id: anna.id }, body: { isUnlimited: true } });
  expect(await names({ filter: "pending" })).toContain("fourth");
  club.host.away = null;
  await club.app.lookAtServers();
  await club.settle();
  expect(await names({ filter: "pending" })).toEqual([]);
  const [place] = (await as.call("GET /admin/servers/interfaces")).body;
  expect(await names({ interfaceId: place?.id ?? "" })).toHaveLength(5);
  expect(await names({ interfaceId: "00000000-0000-4000-8000-000000000000" })).toEqual([]);
});

test("a moderator, and an admin who looks as one, finds no VIP member's config in the list, its pages or its counts", async () => {
  for (const [who, as] of [
    [moderator, {}],
    [admin, { as: "moderator" }],
  ] as const) {
    const page = await list({ ...as, limit: 2 }, who);
    expect(page.headers.get("x-total-count")).toBe("4");
    expect(await names({ ...as }, who)).not.toContain("hidden");
    expect(await names({ ...as, q: "hidden" }, who)).toEqual([]);
    expect(await names({ ...as, q: "secretive" }, who)).toEqual([]);
    expect((await list({ ...as, filter: "never" }, who)).headers.get("x-total-count")).toBe("2");
  }
  expect((await list()).headers.get("x-total-count")).toBe("5");
});

test("a page can be entered by its place", async () => {
  const all = await names({ sort: "name" });
  expect(await names({ sort: "name", limit: 2, skip: 2 })).toEqual(all.slice(2, 4));
  expect(await names({ sort: "name", limit: 2, skip: 2, spare: 3 })).toEqual(all.slice(2));
});

test("a cursor that is none, or of another order, is refused by name", async () => {
  for (const cursor of ["x", "WzFd", Buffer.from('["a","b"]').toString("base64url")]) {
    const answer = await club.as(admin).send("GET", `/api/vpn/configs?scope=all&sort=traffic&cursor=${cursor}`);
    expect([answer.status, answer.code]).toEqual([400, "request.invalid"]);
  }
});

describe("deletion by an admin", () => {
  let clara: Person;
  beforeAll(async () => {
    clara = await club.member({ username: "clara", configLimit: -1 });
  });
  const noticesOf = async (person: Person) =>
    (await club.as(person).call("GET /inbox")).body.filter(({ kind }) => kind === "config_deleted");

  test("takes the peer off the wire and notifies the owner, who cannot undo it, at once", async () => {
    const id = await make(clara, "given-away");
    const { public_key } = await rowOf("given-away");
    expect((await club.as(admin).call("DELETE /vpn/configs/{id}", { params: { id } })).status).toBe(204);
    expect(club.host.peers().map((peer) => peer.publicKey)).not.toContain(public_key);
    expect((await noticesOf(clara)).map(({ params }) => params)).toEqual([{ names: ["given-away"] }]);
    expect((await club.as(clara).call("POST /vpn/configs/{id}/restore", { params: { id } })).code).toBe(
      "config.deleted_by_staff",
    );
  });

  test("of many at once notifies each owner once, skips missing ones, and is audited one by one", async () => {
    const [one, two, three] = [await make(clara, "one"), await make(clara, "two"), await make(anna, "three")];
    const told = (await noticesOf(clara)).length;
    const ids = [one, two, three, two, "00000000-0000-4000-8000-000000000000"];
    const { body } = await club.as(admin).call("POST /admin/configs/delete", { body: { ids } });
    expect(body.deleted.toSorted()).toEqual([one, two, three].toSorted());
    const notices = await noticesOf(clara);
    expect(notices).toHaveLength(told + 1);
    expect(notices[0]?.params).toEqual({ names: expect.arrayContaining(["one", "two"]) });
    expect((await noticesOf(anna)).map(({ params }) => params)).toEqual([{ names: ["three"] }]);
    const audited = await club.db
      .withTables<{ audit: { action: string; target: string; actor_id: string } }>()
      .selectFrom("audit")
      .select(["target", "actor_id"])
      .where("action", "=", "config.deleted")
      .where("target", "in", [one, two, three])
      .execute();
    expect(audited.map((entry) => [entry.target, entry.actor_id]).toSorted()).toEqual(
      [one, two, three].map((id) => [id, admin.id]).toSorted(),
    );
    expect((await club.as(admin).call("POST /admin/configs/delete", { body: { ids } })).body.deleted).toEqual([]);
    expect(await noticesOf(clara)).toHaveLength(told + 1);
  });

  test("of the admin's own gives no notice, and can be undone", async () => {
    const id = await make(clara, "mine");
    const told = (await noticesOf(clara)).length;
    await club.as(clara).call("DELETE /vpn/configs/{id}", { params: { id } });
    expect(await noticesOf(clara)).toHaveLength(told);
    expect((await club.as(clara).call("POST /vpn/configs/{id}/restore", { params: { id } })).status).toBe(200);
  });
});

test("by owner it is sorted by the displayed name; namesakes stay apart, and pages lose nothing", async () => {
  for (const [username, display_name, configs] of [
    ["q-9", "Аня Кью", ["tv"]],
    ["q-2", "Жан Кью", ["tab", "watch"]],
    ["q-1", "Жан Кью", ["laptop", "watch"]],
  ] as const) {
    const owner = await club.member({ username, row: { display_name }, configLimit: -1 });
    for (const name of configs) await make(owner, name);
  }
  const expected = ["q-9 tv", "q-1 laptop", "q-1 watch", "q-2 tab", "q-2 watch"];
  for (const order of ["asc", "desc"]) {
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ sort: "member", q: "кью", order, limit: 1, ...(cursor ? { cursor } : {}) });
      read.push(...page.body.map(({ name, staff }) => `${staff?.owner.username} ${name}`));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor !== null);
    expect(read).toEqual(order === "asc" ? expected : expected.toReversed());
  }
});

describe("a text that thousands of configs have", () => {
  const MANY = 3_100;
  beforeAll(async () => {
    const crowd = await club.member({ username: "crowd", row: { display_name: "Толпа" }, configLimit: -1 });
    const id = await make(crowd, "crowded-0");
    const { address_number: _, ...row } = (await club.db
      .withTables<ConfigTables>()
      .selectFrom("configs")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow()) as ConfigTables["configs"] & { address_number?: number };
    const copies = Array.from({ length: MANY }, (_, n) => ({
      ...row,
      id: randomUUID(),
      name: `crowded-${n + 1}`,
      name_key: `crowded-${n + 1}`,
      public_key: randomUUID(),
      address: "",
      idempotency_key: null,
    }));
    await club.transact(async (tx) => {
      for (let from = 0; from < MANY; from += 500)
        await tx
          .withTables<ConfigTables>()
          .insertInto("configs")
          .values(copies.slice(from, from + 500))
          .execute();
    });
  });

  test.each([
    ["their own", "crowded"],
    ["their owner's", "толпа"],
  ])("finds all of them by %s name, page by page", async (_, q) => {
    for (const sort of ["member", "name", "createdAt"]) {
      const page = await list({ q, sort, limit: 3 });
      expect(page.headers.get("x-total-count")).toBe(String(MANY + 1));
      if (sort !== "createdAt")
        expect(page.body.map(({ name }) => name)).toEqual(["crowded-0", "crowded-1", "crowded-10"]);
      const next = await list({ q, sort, limit: 3, cursor: page.headers.get("x-next-cursor") ?? "" });
      expect(new Set([...page.body, ...next.body].map(({ id }) => id)).size).toBe(6);
    }
    expect((await list({ q, interfaceId: "00000000-0000-4000-8000-000000000000" })).body).toEqual([]);
  });

  test("is compared with each config once, not with every member's for each config that has it", async () => {
    if (isPostgres(club.db)) return;
    const sent: CompiledQuery[] = [];
    const executor = club.db.getExecutor();
    const execute = executor.executeQuery;
    executor.executeQuery = ((query: CompiledQuery) => {
      sent.push(query);
      return execute.call(executor, query);
    }) as typeof execute;
    await list({ q: "толпа", sort: "member", limit: 3 }).finally(() => {
      executor.executeQuery = execute;
    });
    const page = sent.find((query) => /order by owner/.test(query.sql)) ?? expect.unreachable();
    const { rows } = await club.db.executeQuery<{ detail: string }>({ ...page, sql: `explain query plan ${page.sql}` });
    expect(rows.map(({ detail }) => detail)).toContainEqual(expect.stringMatching(/^SEARCH configs .*member_id=\?/));
    expect(rows.filter(({ detail }) => /\bid=\?/.test(detail))).toEqual([]);
  });
});
