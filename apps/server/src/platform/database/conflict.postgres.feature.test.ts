import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Club, startClub } from "../../../testing/start-club.ts";
import type { Tx } from "./database.ts";

const ROWS = ["a", "b", "c", "d"];

let club: Club;
beforeEach(async () => {
  club = await startClub();
  onTestFinished(() => club.stop());
});

test.each([
  ["deadlock", "set local deadlock_timeout = '5ms'"],
  ["are not serializable", "set local transaction isolation level serializable"],
])("writers that %s all succeed, each exactly once", async (_, begin) => {
  for (const name of ROWS)
    await sql`insert into settings (name, value, changed_at) values (${name}, '0', 0)`.execute(club.db);
  const add = (tx: Tx, name: string) =>
    sql`update settings set value = (value::int + 1)::text where name = ${name}`.execute(tx);
  let begun = 0;
  let letOn = () => {};
  const allHaveBegun = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  // Each holds one row, and then needs the others' rows.
  const writes = ROWS.map((own) =>
    club.transact(async (tx) => {
      await sql.raw(begin).execute(tx);
      await add(tx, own);
      if (++begun === ROWS.length) letOn();
      await allHaveBegun;
      const at = ROWS.indexOf(own);
      for (const name of [...ROWS.slice(at + 1), ...ROWS.slice(0, at)]) await add(tx, name);
    }),
  );
  await Promise.all(writes);
  const { rows } = await sql<{ value: string }>`select value from settings where name = any(${ROWS})`.execute(club.db);
  expect(rows.map(({ value }) => Number(value))).toEqual(ROWS.map(() => ROWS.length));
  expect(begun).toBeGreaterThan(ROWS.length);
});

test("a writer that is rolled back each time learns that nothing was saved and when to try again; the log says it once", async () => {
  const boris = await club.member();
  const log = club.app.server.log;
  const warned = vi.spyOn(log, "warn");
  const failed = vi.spyOn(log, "error");
  await sql
    .raw(
      `create function undo() returns trigger language plpgsql as
         $$ begin raise exception 'could not serialize access' using errcode = '40001'; end $$;
       create trigger undo before insert on support_messages for each row execute function undo();`,
    )
    .execute(club.db);
  const answer = await club.as(boris).send("POST", "/api/support/messages", { content: "Не работает" });
  expect([answer.status, answer.code, answer.headers.get("retry-after")]).toEqual([503, "database.conflict", "5"]);
  expect((answer.body as { error: { messages: object } }).error.messages).toEqual({
    ru: "Это же сейчас меняли другие, и ваше изменение не сохранено. Повторите через 5 с.",
    en: "Others were changing the same thing, and your change was not saved. Try again in 5 s.",
  });
  expect((await sql`select 1 from support_messages`.execute(club.db)).rows).toEqual([]);
  expect(warned.mock.calls).toMatchObject([
    [{ err: { message: "could not serialize access" } }, "a change was given up: others were in its way each time"],
  ]);
  expect(failed).not.toHaveBeenCalled();
});
