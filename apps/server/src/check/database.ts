import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { MigrationsSeen } from "../platform/database/migrate.ts";
import { type SealedText, sealedTexts } from "../platform/sealed-columns.ts";
import { opened, type Sealing } from "../platform/sealing.ts";
import { sealedColumns } from "../sealed.ts";
import { type Finding, finding } from "./finding.ts";
import type { CheckWords } from "./words.ts";

const PAGE = 1_000;
const SHOWN = 3;

export function aboutMigrations({ migrations: say }: CheckWords, seen: MigrationsSeen): Finding {
  const { applied, missing, unknown, changed } = seen;
  const shown = (names: readonly string[]) => ({ detail: names.slice(0, SHOWN).join(", ") });
  if (unknown.length > 0)
    return finding("wrong", "migrations.newer", say.newer(unknown.length), {
      ...shown(unknown),
      todo: say.newerTodo,
    });
  if (changed.length > 0)
    return finding("wrong", "migrations.changed", say.changed(changed.length), {
      ...shown(changed),
      todo: say.changedTodo,
    });
  if (missing.length > 0)
    return finding("wrong", "migrations.missing", say.missing(missing.length), {
      ...shown(missing),
      todo: say.missingTodo,
    });
  return finding("well", "migrations", say.applied(applied.length));
}

/** Whether the file is whole and its references lead somewhere. PostgreSQL sees to both by itself. */
export async function aboutIntegrity({ database: say }: CheckWords, { engine, db }: Database): Promise<Finding[]> {
  if (engine === "postgres") {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
      db,
    );
    return [finding("well", "database", say.postgres(Math.floor(Number(rows[0]?.version) / 10_000)))];
  }
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(3)`.execute(db);
  const damage = rows.map((row) => row.quick_check).filter((said) => said !== "ok");
  if (damage.length > 0)
    return [
      finding("wrong", "database.damaged", say.damaged, {
        detail: damage.join("; "),
        todo: say.damagedTodo,
      }),
    ];
  const broken = await sql<{ table: string }>`select "table" from pragma_foreign_key_check limit 1000`.execute(db);
  if (broken.rows.length === 0) return [finding("well", "database", say.whole)];
  const tables = [...new Set(broken.rows.map((row) => row.table))].join(", ");
  return [
    finding("wrong", "database.references", say.references(broken.rows.length, tables), {
      todo: say.referencesTodo,
    }),
  ];
}

/** Whether the key opens every sealed text. Reads page by page. */
export async function aboutSecrets(
  { key: say }: CheckWords,
  { transact }: Database,
  sealing: Sealing,
): Promise<Finding> {
  let count = 0;
  const closed = new Map<string, number>();
  for (const column of sealedColumns) {
    let after: SealedText | undefined;
    for (;;) {
      const from = after;
      const page = await transact((tx) => sealedTexts(tx, column, { after: from, limit: PAGE }));
      for (const text of page) {
        count += 1;
        const name = `${column.table}.${column.column}`;
        if (opened(sealing, text) === null) closed.set(name, (closed.get(name) ?? 0) + 1);
      }
      after = page.at(-1);
      if (page.length < PAGE) break;
    }
  }
  if (closed.size === 0) return finding("well", "master_key", say.opensAll(count));
  const sum = [...closed.values()].reduce((all, each) => all + each, 0);
  const where = [...closed].map(([name, of]) => `${name}: ${of}`).join(", ");
  return finding("wrong", "master_key.closed", say.closed(sum, count, where), {
    todo: say.closedTodo,
  });
}

/** `newest`: the latest moment that a panel wrote down, ms since 1970. */
export async function aboutClock(
  { clock: say }: CheckWords,
  { engine, db }: Database,
  clock: Clock,
  newest: number | null,
): Promise<Finding> {
  const before = clock.now().getTime();
  if (engine === "postgres") {
    const asked = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
    const theirs = Number((await asked.execute(db)).rows[0]?.now);
    const off = Math.round((theirs - before) / 1_000);
    if (Math.abs(off) * 1_000 > HONEST_SKEW_MS)
      return finding("wrong", "clock.differs", say.differs(Math.abs(off)), {
        todo: say.differsTodo,
      });
  }
  if (newest !== null && newest > before + HONEST_SKEW_MS)
    return finding("wrong", "clock.behind", say.behind(Math.round((newest - before) / 60_000)), {
      todo: say.behindTodo,
    });
  return finding("well", "clock", say.agrees);
}

/** Whether each subscription's end is where its ledger leads. A panel of an earlier version may have moved it: only a note. */
export async function aboutLedgers({ ledgers: say }: CheckWords, { parts }: App): Promise<Finding> {
  const ids = await parts.members.ledger.notAddingUp(parts.db);
  if (ids.length === 0) return finding("well", "ledgers", say.addUp);
  const some = await parts.members.byIds(parts.db, ids.slice(0, SHOWN));
  return finding("note", "ledgers.differ", say.differ(ids.length), {
    detail: some.map(({ username }) => username).join(", "),
    todo: say.differTodo,
  });
}
