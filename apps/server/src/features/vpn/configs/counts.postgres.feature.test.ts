import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { startClub } from "../../../../testing/start-club.ts";

test("a device that leaves the wire touches its interface's count, and not those that all devices share", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const boris = await club.member();
  const { id } = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body;
  await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id } });
  await club.settle();
  const versions = async (kind: string) =>
    (await sql`select id, slot, xmin::text from config_counts where kind = ${kind} order by id, slot`.execute(club.db))
      .rows;
  const before = {
    dns: await versions("dns"),
    service: await versions("service"),
    interface: await versions("interface"),
  };
  await sql`update configs set on_wire = 0`.execute(club.db);
  expect(await versions("interface")).not.toEqual(before.interface);
  expect([await versions("dns"), await versions("service")]).toEqual([before.dns, before.service]);
});
