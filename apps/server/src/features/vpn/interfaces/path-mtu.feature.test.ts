import type { InterfaceAnswer } from "@krug/contract/vpn/interfaces";
import { HOUR_MS } from "@krug/domain/moment";
import { reason } from "@krug/domain/reasons";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { HostRefused } from "../../../hosts/host.ts";

let club: Club;
let admin: Person;
let serverId: string;
/** The MTU last sent to the machine for each tunnel. */
let told: Map<string, number | null>;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  serverId = (await club.as(admin).call("GET /admin/servers")).body[0]!.id;
  const { apply } = club.host;
  club.host.apply = (desired, call) => {
    told = new Map(desired.interfaces.map(({ name, mtu }) => [name, mtu]));
    return apply(desired, call);
  };
});
afterEach(() => club.stop());

const create = (body: object = {}) =>
  club.as(admin).send("POST", `/api/admin/servers/${serverId}/create-interface`, body);
const created = async (body?: object) => {
  const answer = await create(body);
  expect(answer.status).toBe(201);
  return (answer.body as { interface: InterfaceAnswer }).interface;
};
const pathOf = async () => (await club.as(admin).call("GET /admin/servers")).body[0]?.pathMtu;
const serverRow = async () => (await club.app.parts.servers.all(club.db))[0];
const look = async () => {
  await club.app.lookAtServers();
  await club.settle();
};
const anHourLater = async () => {
  club.clock.advance(HOUR_MS);
  await look();
};
test.each([
  [null, null],
  [1500, null],
  [1460, 1380],
  [1450, 1370],
  [1300, 1280],
])("a new interface behind a path of %s bytes has the MTU %s, and the server shows the path", async (path, mtu) => {
  club.host.path = path;
  expect(await created()).toMatchObject({ mtu });
  expect(await pathOf()).toBe(path);
});

test("an admin's MTU applies, even if it is the default", async () => {
  club.host.path = 1450;
  expect(await created({ mtu: 1300 })).toMatchObject({ mtu: 1300 });
  expect(await created({ mtu: null })).toMatchObject({ mtu: null });
  for (const mtu of [1279, 1501, "1400"]) expect((await create({ mtu })).code).toBe("request.invalid");
});

test("AmneziaWG's padding is subtracted too, and an MTU without room for it is refused", async () => {
  club.host.path = 1450;
  const made = await created({ amneziawg: { preset: "ordinary" } });
  expect(made.mtu).toBe((made.amneziawg?.mtu ?? 0) - 50);
  expect((await create({ amneziawg: { preset: "ordinary" }, mtu: 1420 })).code).toBe("interface.parameter_invalid");
});

test("members' files have it, and so does the machine", async () => {
  club.host.path = 1460;
  const { id, interfaceName } = await created();
  const member = await club.member();
  await club.as(admin).call("POST /admin/servers/interfaces/assign", { body: { userId: member.id, interfaceId: id } });
  const config = (await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member) })).body;
  const file = await club.as(member).call("GET /vpn/configs/{id}/download", { params: { id: config.id } });
  expect(file.body).toContain("\nMTU = 1380\n");
  expect(told.get(interfaceName)).toBe(1380);
});

test("a path is measured again within the hour; existing interfaces keep their MTU", async () => {
  await anHourLater();
  expect(await serverRow()).toMatchObject({ path_mtu: null });
  club.host.path = 1450;
  club.clock.advance(60_000);
  await look();
  expect(await serverRow()).toMatchObject({ path_mtu: null });
  await anHourLater();
  expect(await serverRow()).toMatchObject({ path_mtu: 1450 });
  expect([...told.values()]).toEqual([null]);
});

test("a machine that cannot measure it gets no new interface, and everything else works", async () => {
  club.host.pathMtu = async () => {
    throw new HostRefused(reason("program.not_found", { program: "ip" }));
  };
  expect((await create()).code).toBe("server.unreachable");
  await anHourLater();
  expect(await serverRow()).toMatchObject({ unreachable_since: null, reconciled_at: club.clock.now().getTime() });
});
