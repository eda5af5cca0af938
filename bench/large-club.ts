import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "@krug/domain/moment";
import { nameKey } from "@krug/domain/name-search";
import { daysUpTo } from "@krug/domain/traffic";
import { type RawBuilder, sql } from "kysely";
import type { InviteTables } from "../apps/server/src/features/access/invites/table.ts";
import { newMemberRow } from "../apps/server/src/features/members/members/new-member.ts";
import type { MemberRow, MemberTables } from "../apps/server/src/features/members/members/table.ts";
import type { SupportTables } from "../apps/server/src/features/messages/support/table.ts";
import type { PaymentTables } from "../apps/server/src/features/money/payments/table.ts";
import type { ConfigRow, ConfigTables } from "../apps/server/src/features/vpn/configs/table.ts";
import type { InterfaceTables } from "../apps/server/src/features/vpn/interfaces/table.ts";
import { NOT_REMOTE, type ServerTables } from "../apps/server/src/features/vpn/servers/table.ts";
import type { Database, Tx } from "../apps/server/src/platform/database/database.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { openSealing, type Seal, type Sealing } from "../apps/server/src/platform/sealing.ts";
import { sealedColumns } from "../apps/server/src/sealed.ts";
import { fillStatistics } from "../apps/server/testing/fill-statistics.ts";
import { startPanel } from "../e2e/panel.ts";
import { ROOT } from "../scripts/command.mjs";

/*
 * A club as large as the product promises to support (100,000 members) or smaller. Members invited each other, have three
 * configs each, and a year of payments, traffic, support and audit. Every build gives the same club. The largest takes about
 * 2 GB and a few minutes, so it stays in the temporary folder until a migration or this file changes.
 */
const CONFIGS_OF_EACH = 3;
/** Like real people: among this many, one uses the most, the next half as much, the next a third. */
const TAIL = 1_000;
/** One config in this many has a year without a gap; the others were used only in the last days. */
const CONFIGS_TO_A_YEAR = 30;
const DAYS = 365;
const RECENT_DAYS = 3;
const HOURS = 48;
/** One member in this many has written to support. */
const MEMBERS_TO_A_CONVERSATION = 3;
const MOST_MESSAGES = 12;
const MEMBERS_TO_A_STAFF_CODE = 20;
const AUDITED_OF_EACH = 5;
const MODERATORS = 10;
export const ADMIN = "olga";

const FIRST_NAMES =
  "Анна Борис Вера Глеб Дарья Егор Жанна Зоя Иван Кира Лев Марина Нина Олег Павел Рита Семён Тимур Ульяна Фёдор".split(
    " ",
  );
const LAST_NAMES =
  "Аверин Белова Волков Громова Дёмин Ершова Жуков Зимина Ильин Котова Лапин Мельник Носова Орлов Панина Рябов".split(
    " ",
  );
const SENTENCES = [
  "Здравствуйте, не включается на телевизоре",
  "Спасибо, всё заработало",
  "Перевёл за месяц, отметьте, пожалуйста",
  "После обновления телефона туннель обрывается каждые пять минут",
  "Можно ли поставить на роутер?",
  "Скачайте файл заново и напишите, стало ли лучше",
  "Какая модель и какое приложение?",
  "Не открывается банк, пока VPN включён",
];

export interface LargeClub {
  dataDir: string;
  open(): Promise<Database>;
  bytes: number;
  /** How long it took to build, ms; null if it already existed. */
  madeInMs: number | null;
}

/** The panel's data folder with the club in it. */
export async function largeClub(members: number): Promise<LargeClub> {
  const beginning = `krug-club-of-${members}-`;
  const kept = join(tmpdir(), beginning + fingerprint());
  const done = join(kept, "done");
  const began = performance.now();
  const isThere = existsSync(done);
  if (!isThere) {
    for (const old of readdirSync(tmpdir()).filter((name) => name.startsWith(beginning)))
      rmSync(join(tmpdir(), old), { recursive: true });
    mkdirSync(kept, { mode: 0o700 });
    await make(kept, members);
    writeFileSync(done, "");
  }
  return {
    dataDir: kept,
    open: () => openSqlite(join(kept, "krug.db")),
    bytes: readdirSync(kept).reduce((sum, name) => sum + statSync(join(kept, name)).size, 0),
    madeInMs: isThere ? null : performance.now() - began,
  };
}

/** A hash of what determines the content: the migrations, this file, and the month in which it begins. */
function fingerprint(): string {
  const migrations = `${ROOT}apps/server/migrations/`;
  const files = readdirSync(migrations).map((name) => readFileSync(migrations + name, "utf8"));
  const parts = [...files, readFileSync(`${ROOT}bench/large-club.ts`, "utf8"), new Date().toISOString().slice(0, 7)];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}

async function make(dataDir: string, members: number): Promise<void> {
  // The panel creates its own tables and key.
  await (await startPanel({ DATA_DIR: dataDir })).stop();
  const database = await openSqlite(join(dataDir, "krug.db"));
  const sealing = await openSealing(database, join(dataDir, "master.key"), sealedColumns);
  // An interrupted build is thrown away anyway.
  await sql`pragma synchronous = off`.execute(database.db);
  await sql`pragma cache_size = -1500000`.execute(database.db);
  const now = Date.now();
  for (const step of [network, people, devices, traffic, codes, payments, conversations, audit]) {
    const began = performance.now();
    await database.transact(async (tx) => {
      const seal = await sealing.sealer(tx);
      await step({ tx, now, members, seal, hash: sealing.hash, chance: makeChance(step.name) });
    });
    console.log(`  ${step.name} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
  await database.close();
}

interface Making {
  tx: Tx;
  now: number;
  members: number;
  seal: Seal;
  hash: Sealing["hash"];
  chance: Chance;
}

type Chance = ReturnType<typeof makeChance>;

/** Pseudo-random numbers, the same every time. */
function makeChance(seed: string) {
  let state = createHash("sha256").update(seed).digest().readUInt32LE();
  /** 0 ≤ x < 1; mulberry32. */
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(draw() * end);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { draw, below, one };
}

/** An id from its number, spread like random ones. */
function idOf(kind: string, number: number): string {
  const hex = createHash("md5").update(`${kind} ${number}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const PER_STATEMENT = 500;

/** Writes rows as they are made, many per statement. */
async function write<Row>(
  rows: Iterable<Row>,
  insert: (some: Row[]) => { execute(): Promise<unknown> },
): Promise<void> {
  let some: Row[] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < PER_STATEMENT) continue;
    await insert(some).execute();
    some = [];
  }
  if (some.length > 0) await insert(some).execute();
}

/** One server, which another panel manages: this one measures lists and controls no machine. */
async function network({ tx, now, seal }: Making): Promise<void> {
  const tables = tx.withTables<ServerTables & InterfaceTables>();
  const id = idOf("server", 0);
  await tables
    .insertInto("servers")
    .values({
      ...NOT_REMOTE,
      id,
      name: "Хельсинки",
      driver: "local",
      panel_id: "elsewhere",
      endpoint: "vpn.example",
      default_endpoint: null,
      is_main: 1,
      is_setup_complete: 1,
      takes_new: 1,
      unreachable_since: null,
      unreachable_reason: null,
      reconciled_at: now,
      created_at: now - 2 * DAYS * DAY_MS,
      deleted_at: null,
    })
    .execute();
  await write(
    Array.from({ length: 8 }, (_, index) => index),
    (some) =>
      tables.insertInto("interfaces").values(
        some.map((index) => ({
          id: idOf("interface", index),
          server_id: id,
          name: `Interface ${index + 1}`,
          type: "wireguard" as const,
          parameters: "{}",
          interface_name: `wg${index}`,
          listen_port: 51_820 + index,
          subnet: `10.${64 + index}.0.0/16`,
          subnet_v6: null,
          routing: "device",
          rest_exit: "direct",
          exit_down: "wait",
          exit_link: "wireguard",
          endpoint: null,
          mtu: null,
          public_key: keyOf("interface", index),
          sealed_private_key: seal(`interfaces.private_key:${idOf("interface", index)}`, keyOf("secret", index)),
          is_active: 1,
          conflict: null,
          takes_new: 1,
          first_look_due: 0,
          created_at: now - 2 * DAYS * DAY_MS,
          deleted_at: null,
          given_back: 0,
        })),
      ),
  );
}

const keyOf = (kind: string, number: number) => createHash("sha256").update(`${kind}${number}`).digest("base64");

/** Most have a subscription; a few are blocked, VIP, unlimited or on trial; seven in ten were invited by a friend. */
async function people({ tx, now, members, chance }: Making): Promise<void> {
  const tables = tx.withTables<MemberTables>();
  function* rows(): Generator<MemberRow> {
    for (let number = 0; number < members; number += 1) yield memberRow({ number, members, now, chance });
  }
  await write(rows(), (some) =>
    tables.insertInto("members").values(some.map((row) => ({ ...row, display_name_key: nameKey(row.display_name) }))),
  );
}

const STANDINGS: [upTo: number, about: (now: number, chance: Chance) => Partial<MemberRow>][] = [
  [
    0.74,
    (now, { below }) => ({
      subscription_end: now + (1 + below(60 * 24)) * (DAY_MS / 24),
      subscription_source: "payment",
    }),
  ],
  [0.88, (now, { below }) => ({ subscription_end: now - (1 + below(200)) * DAY_MS, subscription_source: "payment" })],
  [0.93, (now, { below }) => ({ subscription_end: now + below(3 * 24) * (DAY_MS / 24), subscription_source: "trial" })],
  [0.97, () => ({})],
  [1, () => ({ is_unlimited: 1, config_limit: -1 })],
];

function memberRow(member: { number: number; members: number; now: number; chance: Chance }): MemberRow {
  const { number, members, now, chance } = member;
  const kind = chance.draw();
  const [, about] = STANDINGS.find(([upTo]) => kind < upTo) ?? STANDINGS[0] ?? [1, () => ({})];
  const friend = number > 100 && chance.draw() < 0.7 ? idOf("member", chance.below(number)) : null;
  const name = `${chance.one(FIRST_NAMES)} ${chance.one(LAST_NAMES)}`;
  return newMemberRow({
    id: idOf("member", number),
    username: number === 0 ? ADMIN : `${["anna", "boris", "vera", "gleb", "dasha", "egor"][chance.below(6)]}_${number}`,
    display_name: name,
    created_at: now - Math.round((1 - number / members) * 2 * DAYS * DAY_MS) - chance.below(DAY_MS),
    accepted_rules_at: now,
    is_active: chance.draw() < 0.03 ? 0 : 1,
    is_vip: chance.draw() < 0.015 ? 1 : 0,
    role: number === 0 ? "admin" : number <= MODERATORS ? "moderator" : "user",
    telegram_id: chance.draw() < 0.6 ? String(10_000_000 + number) : null,
    friend_of: friend,
    invited_by: friend,
    ...about(now, chance),
  });
}

async function devices({ tx, now, members, seal, chance }: Making): Promise<void> {
  const tables = tx.withTables<ConfigTables & { services: { id: string }; dns_entries: { id: string } }>();
  const service = await tables.selectFrom("services").select("id").executeTakeFirstOrThrow();
  const dns = await tables.selectFrom("dns_entries").select("id").executeTakeFirstOrThrow();
  const numbers = Array.from({ length: members * CONFIGS_OF_EACH }, (_, number) => number);
  const row = (number: number): ConfigRow => {
    const id = idOf("config", number);
    const name = `${["phone", "laptop", "tv"][number % CONFIGS_OF_EACH]}-${number % 97}`;
    // With 100,000 members there are 37,500 on each interface.
    const place = Math.floor(number / 8) + 2;
    return {
      id,
      member_id: idOf("member", Math.floor(number / CONFIGS_OF_EACH)),
      name,
      name_key: name,
      device_type: number % 2 === 0 ? "phone" : "computer",
      interface_id: idOf("interface", number % 8),
      dns_id: dns.id,
      address: `10.${64 + (number % 8)}.${place >> 8}.${place & 255}`,
      made_by: null,
      key_request: null,
      deleted_by: null,
      place_of: null,
      peer_key: null,
      moves_until: null,
      leaving_key: null,
      address_v6: null,
      public_key: keyOf("config", number),
      sealed_private_key: seal(`configs.private_key:${id}`, keyOf("secret", number)),
      sealed_preshared_key: seal(`configs.preshared_key:${id}`, keyOf("shared", number)),
      is_blocked: 0,
      dormant_since: null,
      ends_at: null,
      ends_by: null,
      end_told: null,
      has_ended: 0,
      on_wire: chance.draw() < 0.999 ? 1 : 0,
      delivered_at: now - DAY_MS,
      is_stale: chance.draw() < 0.02 ? 1 : 0,
      idempotency_key: null,
      idempotency_body: null,
      deleted_at: null,
      created_at: now - chance.below(DAYS * DAY_MS),
    };
  };
  await write(numbers, (some) => tables.insertInto("configs").values(some.map(row)));
  await write(numbers, (some) =>
    tables
      .insertInto("config_services")
      .values(some.map((number) => ({ config_id: idOf("config", number), service_id: service.id, position: 0 }))),
  );
  await sql`
    update configs set on_wire = 0 where member_id in (
      select id from members where is_active = 0 or (is_unlimited = 0 and coalesce(subscription_end, 0) < ${now})
    )`.execute(tx);
}

/** Some configs get every day of a year, the others the last days; the database multiplies the rows itself. */
async function traffic({ tx, now }: Making): Promise<void> {
  const days = daysUpTo(new Date(now).toISOString().slice(0, 10), DAYS);
  const numbered = sql`select id, created_at, row_number() over (order by id) as number from configs`;
  const used = (shown: readonly string[], who: RawBuilder<boolean>) => sql`
    with days (day, place) as (values ${sql.join(shown.map((day, place) => sql`(${day}, ${place})`))}),
      used as (
        select n.id, d.day, ((n.created_at % 99991) * (d.place + 17) % 65537) * (100000 / (1 + n.number * 7919 % ${sql.lit(TAIL)})) as bytes
        from (${numbered}) n cross join days d where ${who}
      )
    insert into traffic_daily (config_id, day, rx, tx, opening_rx, opening_tx)
    select id, day, bytes / 9, bytes, coalesce(sum(bytes / 9) over earlier, 0), coalesce(sum(bytes) over earlier, 0) from used
    window earlier as (partition by id order by day rows between unbounded preceding and 1 preceding)`;
  const hasYear = sql<boolean>`n.number % ${sql.lit(CONFIGS_TO_A_YEAR)} = 0`;
  await used(days, hasYear).execute(tx);
  await used(days.slice(-RECENT_DAYS), sql<boolean>`not (${hasYear}) and n.number % 10 < 6`).execute(tx);
  await sql`
    insert into traffic_counters (config_id, public_key, raw_rx, raw_tx, total_rx, total_tx, last_handshake_at)
    select c.id, c.public_key, 0, 0, coalesce(sum(t.rx), 0), coalesce(sum(t.tx), 0), ${now} - 7 * (sum(t.tx) % 86400000)
    from configs c left join traffic_daily t on t.config_id = c.id group by c.id, c.public_key`.execute(tx);
  // The last hours, so that today's use has hourly steps: for every config with a year, and for a sixth of the others.
  const thisHour = now - (now % HOUR_MS);
  const hours = Array.from({ length: HOURS }, (_, place) => new Date(thisHour - (HOURS - 1 - place) * HOUR_MS)).map(
    (hour) => sql`(${hour.getTime()}, ${hour.toISOString().slice(0, 10)}, ${hour.getUTCHours()})`,
  );
  await sql`
    with hours (hour, day, place) as (values ${sql.join(hours)}),
      n as materialized (select id, number, case when ${hasYear} then 24 else 4 end as share from (${numbered}) n)
    insert into traffic_hourly (config_id, hour, rx, tx, opening_rx, opening_tx)
    select n.id, h.hour, t.rx / share, t.tx / share,
      t.opening_rx + (h.place * share / 24) * (t.rx / share), t.opening_tx + (h.place * share / 24) * (t.tx / share)
    from n cross join hours h cross join traffic_daily t
    where t.config_id = n.id and t.day = h.day and (share = 24 or h.place % 6 = n.number % 6)`.execute(tx);
  await sql`
    update traffic_counters set
      used_hour = coalesce((select max(hour) from traffic_hourly t where t.config_id = traffic_counters.config_id), 0),
      used_day = coalesce((select max(day) from traffic_daily t where t.config_id = traffic_counters.config_id), '')`.execute(
    tx,
  );
  await fillStatistics(tx);
  await sql`insert into traffic_club_daily select day, sum(rx), sum(tx) from traffic_daily group by day`.execute(tx);
  await sql`insert into traffic_club_hourly select hour, sum(rx), sum(tx) from traffic_hourly group by hour`.execute(
    tx,
  );
  await sql`
    with month as (
      select config_id, sum(rx + tx) as bytes, sum(case when day > ${days.at(-3)} then rx + tx else 0 end) as recent
      from traffic_daily where day > ${days.at(-31)} group by config_id
    )
    insert into member_use (member_id, last_handshake_at, month_bytes, month_as_of, recent_bytes, life_bytes)
    select m.id, coalesce(max(n.last_handshake_at), 0), coalesce(sum(u.bytes), 0), ${days.at(-1)},
      coalesce(sum(u.recent), 0), coalesce(sum(n.total_rx + n.total_tx), 0)
    from members m left join configs c on c.member_id = m.id and c.deleted_at is null left join traffic_counters n on n.config_id = c.id
      left join month u on u.config_id = c.id
    where m.id not in (select member_id from member_use) group by m.id`.execute(tx);
}

async function codes({ tx, now, members, seal, hash, chance }: Making): Promise<void> {
  const tables = tx.withTables<InviteTables>();
  const ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
  const textOf = () => Array.from({ length: 6 }, () => chance.one([...ALPHABET])).join("");
  const interfaces = JSON.stringify([idOf("interface", 0), idOf("interface", 1)]);
  const staffs = members / MEMBERS_TO_A_STAFF_CODE;
  const seen = new Set<string>();
  while (seen.size < members / 5 + staffs) seen.add(textOf());
  await write([...seen].entries(), (some) =>
    tables.insertInto("invite_codes").values(
      some.map(([number, code]) => {
        const isStaffs = number < staffs;
        const id = idOf("code", number);
        const created_at = now - chance.below(DAYS * DAY_MS);
        return {
          id,
          code_hash: hash("invite-code", code),
          sealed_code: seal(`invite_codes.code:${id}`, code),
          kind: isStaffs ? ("staff" as const) : ("member" as const),
          created_by: idOf("member", isStaffs ? chance.below(MODERATORS) : chance.below(members)),
          created_at,
          expires_at: chance.draw() < 0.7 ? created_at + 30 * DAY_MS : null,
          max_uses: isStaffs ? 20 : 1,
          current_uses: chance.below(isStaffs ? 21 : 2),
          subscription_days: 30,
          subscription_end: null,
          interface_ids: interfaces,
          is_active: chance.draw() < 0.9 ? 1 : 0,
        };
      }),
    ),
  );
}

/** Twelve months; part of the current one is unpaid, and some members claim to have paid. */
async function payments({ tx, now, members, chance }: Making): Promise<void> {
  const today = new Date(now);
  for (let ago = 11; ago >= 0; ago -= 1) {
    const at = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago, 15);
    const period = new Date(at).toISOString().slice(0, 7);
    const unpaid = ago === 0 ? 40 : 5;
    await sql`
      with drawn as (
        select id, (created_at + ${ago * 7919}) % 100 < 70 as is_asked, (created_at / 100 + ${ago}) % 100 as lot from members
      )
      insert into payments (id, member_id, period, status, amount, currency, due_day, paid_at, created_at, changed_at)
      select substr(id, 1, 24) || ${`${period.replace("-", "")}000000`}, id, ${period},
        case when lot >= ${unpaid} then 'paid' when lot % 5 = 0 then 'overdue' else 'pending' end,
        30000, 'RUB', ${`${period}-20`}, case when lot >= ${unpaid} then ${at} end, ${at}, ${at}
      from drawn where is_asked`.execute(tx);
  }
  await sql`
    update members set settled_period =
      coalesce((select max(period) from payments where member_id = members.id and status <> 'pending'), '')`.execute(
    tx,
  );
  const numbers = Array.from({ length: members / 250 }, (_, number) => number);
  await write(numbers, (some) =>
    tx
      .withTables<PaymentTables>()
      .insertInto("payment_claims")
      .values(
        some.map((number) => ({
          id: idOf("claim", number),
          member_id: idOf("member", 250 * number),
          state: "waiting" as const,
          claimed_at: now - chance.below(3 * DAY_MS),
          decided_at: null,
          reason: null,
          receipt_id: null,
          months: 1 as const,
        })),
      ),
  );
}

/** A third of the members have written; in a hundredth the last message is unread. */
async function conversations({ tx, now, members, chance }: Making): Promise<void> {
  const tables = tx.withTables<SupportTables>();
  const talks = Array.from({ length: members / MEMBERS_TO_A_CONVERSATION }, (_, number) => ({
    member_id: idOf("member", number * MEMBERS_TO_A_CONVERSATION),
    length: 1 + chance.below(MOST_MESSAGES),
    last: now - Math.round(chance.draw() ** 2 * DAYS * DAY_MS),
    isWaiting: chance.draw() < 0.01,
    ticket: chance.draw() < 0.3 ? idOf("ticket", number) : null,
  }));
  await write(talks, (some) =>
    tables.insertInto("support_conversations").values(
      some.map(({ member_id, length, last, isWaiting }) => ({
        member_id,
        last_sequence: length,
        last_message_at: last,
        waiting_since: isWaiting ? last : null,
        settled_sequence: 0,
      })),
    ),
  );
  await write(
    talks.flatMap(({ ticket, ...talk }) => (ticket === null ? [] : { ...talk, ticket })),
    (some) =>
      tables.insertInto("support_tickets").values(
        some.map(({ ticket, member_id, last, isWaiting }) => {
          const subject = chance.one(SENTENCES);
          return {
            id: ticket,
            member_id,
            subject,
            subject_key: subject.toLowerCase(),
            category: "technical" as const,
            priority: "medium" as const,
            status: isWaiting
              ? ("open" as const)
              : chance.draw() < 0.05
                ? ("in_progress" as const)
                : ("closed" as const),
            assigned_to: isWaiting ? null : idOf("member", chance.below(MODERATORS)),
            created_at: last,
            updated_at: last,
          };
        }),
      ),
  );
  function* messages(): Generator<SupportTables["support_messages"]> {
    for (const [number, { member_id, length, last, isWaiting, ticket }] of talks.entries())
      for (let sequence = 1; sequence <= length; sequence += 1) {
        const isStaffs = sequence % 2 === 0;
        yield {
          id: idOf(`message ${sequence}`, number),
          member_id,
          sequence,
          // For members with a ticket, the last message is in the ticket.
          ticket_id: sequence === length ? ticket : null,
          author_id: isStaffs ? idOf("member", chance.below(MODERATORS)) : member_id,
          is_admin: isStaffs ? 1 : 0,
          content: `${chance.one(SENTENCES)}. ${chance.one(SENTENCES)}, ${number}.`,
          read_at: isWaiting && sequence === length ? null : last,
          idempotency_key: null,
          idempotency_hash: null,
          created_at: last - (length - sequence) * 60_000,
        };
      }
  }
  await write(messages(), (some) => tables.insertInto("support_messages").values(some));
  await sql`
    insert into support_texts (member_id, sequence, content)
    select member_id, sequence, lower(content) from support_messages`.execute(tx);
}

async function audit({ tx, now, members, chance }: Making): Promise<void> {
  const tables = tx.withTables<{
    audit: {
      id: string;
      at: number;
      actor_id: string;
      action: string;
      target: string;
      member_id: string;
      before: string;
      after: string;
    };
  }>();
  const entries = members * AUDITED_OF_EACH;
  await write(
    Array.from({ length: entries }, (_, number) => number),
    (some) =>
      tables.insertInto("audit").values(
        some.map((number) => {
          const target = idOf("member", chance.below(members));
          return {
            id: idOf("audit", number),
            at: now - Math.round((1 - number / entries) * DAYS * DAY_MS),
            actor_id: idOf("member", chance.below(MODERATORS)),
            action: chance.one(["member.changed", "payment.status_set", "support.answered", "member.password_link"]),
            target,
            member_id: target,
            before: '{"is_active":1}',
            after: '{"is_active":0}',
          };
        }),
      ),
  );
}
