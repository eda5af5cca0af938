import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { MigrationsSeen } from "../platform/database/migrate.ts";
import { type SealedText, sealedTexts } from "../platform/sealed-columns.ts";
import { opened, type Sealing } from "../platform/sealing.ts";
import { sealedColumns } from "../sealed.ts";
import { type Finding, finding } from "./finding.ts";

const PAGE = 1_000;
const SHOWN = 3;

export function aboutMigrations({ applied, missing, unknown, changed }: MigrationsSeen): Finding {
  const shown = (names: readonly string[]) => ({ detail: names.slice(0, SHOWN).join(", ") });
  if (unknown.length > 0)
    return finding(
      "wrong",
      "migrations.newer",
      `Migrations in the database that this program does not know: ${unknown.length}.`,
      {
        ...shown(unknown),
        todo: "Use the version of the panel that made it.",
      },
    );
  if (changed.length > 0)
    return finding(
      "wrong",
      "migrations.changed",
      `Migrations that were applied with another text than this program's: ${changed.length}.`,
      {
        ...shown(changed),
        todo: "Put the program's files back as they were released.",
      },
    );
  if (missing.length > 0)
    return finding(
      "wrong",
      "migrations.missing",
      `Migrations of this program that the database lacks: ${missing.length}.`,
      {
        ...shown(missing),
        todo: "Start the panel once with this version: it brings the database up to date.",
      },
    );
  return finding("well", "migrations", `All ${applied.length} migrations are applied.`);
}

/** Whether the file is whole and its references lead somewhere. PostgreSQL sees to both by itself. */
export async function aboutIntegrity({ engine, db }: Database): Promise<Finding[]> {
  if (engine === "postgres") {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
      db,
    );
    return [finding("well", "database", `PostgreSQL ${Math.floor(Number(rows[0]?.version) / 10_000)} answers.`)];
  }
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(3)`.execute(db);
  const damage = rows.map((row) => row.quick_check).filter((said) => said !== "ok");
  if (damage.length > 0)
    return [
      finding("wrong", "database.damaged", "The database's file is damaged.", {
        detail: damage.join("; "),
        todo: "Stop the panel, keep the file, and put the last good backup back (docs/operating.md, 'Backup and restore').",
      }),
    ];
  const broken = await sql<{ table: string }>`select "table" from pragma_foreign_key_check limit 1000`.execute(db);
  if (broken.rows.length === 0)
    return [finding("well", "database", "The database's file is whole, and so are its references.")];
  const tables = [...new Set(broken.rows.map((row) => row.table))].join(", ");
  return [
    finding(
      "wrong",
      "database.references",
      `Rows that refer to others that are not there: ${broken.rows.length} (${tables}).`,
      {
        todo: "Something else than the panel changed the database: put the last good backup back, or ask for help with a support bundle.",
      },
    ),
  ];
}

/** Whether the key opens every sealed text. Reads page by page. */
export async function aboutSecrets({ transact }: Database, sealing: Sealing): Promise<Finding> {
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
  if (closed.size === 0) return finding("well", "master_key", `The master key opens all ${count} sealed secrets.`);
  const sum = [...closed.values()].reduce((all, each) => all + each, 0);
  const where = [...closed].map(([name, of]) => `${name}: ${of}`).join(", ");
  return finding("wrong", "master_key.closed", `Sealed secrets that do not open: ${sum} of ${count} (${where}).`, {
    todo: "They were damaged, or sealed with another key. If you have a former master key, add it as another line of the key's file; otherwise give these devices new keys.",
  });
}

/** `newest`: the latest moment that a panel wrote down, ms since 1970. */
export async function aboutClock({ engine, db }: Database, clock: Clock, newest: number | null): Promise<Finding> {
  const before = clock.now().getTime();
  if (engine === "postgres") {
    const asked = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
    const theirs = Number((await asked.execute(db)).rows[0]?.now);
    const off = Math.round((theirs - before) / 1_000);
    if (Math.abs(off) * 1_000 > HONEST_SKEW_MS)
      return finding(
        "wrong",
        "clock.differs",
        `The clocks of this machine and of PostgreSQL are ${Math.abs(off)} s apart.`,
        {
          todo: "Turn time synchronisation on where it is off: timedatectl set-ntp true.",
        },
      );
  }
  if (newest !== null && newest > before + HONEST_SKEW_MS)
    return finding(
      "wrong",
      "clock.behind",
      `A panel wrote down a moment ${Math.round((newest - before) / 60_000)} min ahead of this machine's clock.`,
      {
        todo: "Correct the clock that is wrong: timedatectl set-ntp true.",
      },
    );
  return finding("well", "clock", "The clock agrees with the database.");
}
