import { RESTORE_WINDOW_MS } from "@krug/domain/config-rules";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { startClub } from "../../../../testing/start-club.ts";
import * as addresses from "./addresses.ts";

// Only PostgreSQL has two writers at once.
test("an address returned while a new device takes one is not assigned twice", async () => {
  const club = await startClub();
  try {
    const boris = await club.member({ configLimit: -1 });
    let names = 0;
    const make = async () => {
      const body = await configInput(club, boris, { name: `d-${names++}` });
      return club.as(boris).call("POST /vpn/configs", { body });
    };
    const addressOf = async (id: string) => (await club.app.parts.configs.byIds(club.db, [id]))[0]?.address;
    await make();
    const highest = (await make()).body.id;
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: highest } });
    await club.settle();
    club.clock.advance(RESTORE_WINDOW_MS + 1);

    // The new device's transaction has looked for free addresses, and waits for the table with the highest one.
    let making: ReturnType<typeof make> | undefined;
    await club.transact(async (tx) => {
      await sql`lock table unknown_peers in access exclusive mode`.execute(tx);
      making = make();
      const isWaiting = async () =>
        (await sql`select 1 from pg_locks where relation = 'unknown_peers'::regclass and not granted`.execute(tx)).rows
          .length > 0;
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
      await addresses.purge(tx, [highest], club.clock.now().getTime());
    });
    const answers = [await making, await make(), await make()];
    expect(answers.map((answer) => answer?.status)).toEqual([201, 201, 201]);
    const taken = await Promise.all(answers.map((answer) => addressOf(answer?.body.id ?? "")));
    expect(new Set(taken).size).toBe(3);

    for (const answer of answers)
      await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: answer?.body.id ?? "" } });
    await club.settle();
    club.clock.advance(RESTORE_WINDOW_MS + 1);
    await club.app.parts.configs.purgePast();
    expect(await Promise.all(answers.map((answer) => addressOf(answer?.body.id ?? "")))).toEqual(["", "", ""]);
  } finally {
    await club.stop();
  }
});
