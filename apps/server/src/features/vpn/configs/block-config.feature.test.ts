import { afterEach, beforeEach, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let anna: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  anna = await club.member();
});
afterEach(() => club.stop());

const make = async (name: string) =>
  (await club.as(anna).call("POST /vpn/configs", { body: await configInput(club, anna, { name }) })).body.id;
const block = (id: string, isBlocked: boolean) =>
  club.as(admin).call("PUT /admin/configs/{id}/blocked", { params: { id }, body: { isBlocked } });
const onWire = () =>
  club.host
    .devicesOn("wg0")
    .flatMap(({ publicKey, allowedIps }) => (allowedIps.length > 0 ? [`${publicKey} ${allowedIps}`] : []))
    .sort();

test("staff block one device and unblock it; others keep working, and the same file works again", async () => {
  const [phone] = [await make("phone"), await make("laptop")];
  const before = onWire();
  expect((await block(phone, true)).body).toMatchObject({ name: "phone", isBlocked: true, state: "off" });
  expect(onWire()).toHaveLength(1);
  expect((await block(phone, true)).status, "again it changes nothing").toBe(200);
  club.clock.advance(1_000);
  expect((await block(phone, false)).body).toMatchObject({ isBlocked: false, state: "applied" });
  expect(onWire()).toEqual(before);
  expect(await auditOf(club, phone)).toMatchObject([{ action: "config.unblocked" }, { action: "config.blocked" }]);
});

test("a deleted device can be neither blocked nor unblocked", async () => {
  const phone = await make("phone");
  await club.as(anna).call("DELETE /vpn/configs/{id}", { params: { id: phone } });
  expect(await block(phone, true)).toMatchObject({ status: 404, code: "config.not_found" });
});
