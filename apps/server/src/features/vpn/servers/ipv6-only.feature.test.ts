import { afterEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
afterEach(() => club.stop());

const fileOf = async (owner: Person, wish: object) => {
  const { body } = await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, wish) });
  const answer = await club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id: body.id } });
  return answer.body as unknown as string;
};

test("a panel's own machine with IPv6 only is reached at its address there, in brackets in members' files", async () => {
  club = await startClub({ ownAddress: "2a01:4f8::7" });
  const admin = await club.admin();
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  expect(server).toMatchObject({ endpoint: null, defaultEndpoint: "2a01:4f8::7" });
  const file = await fileOf(await club.member(), { name: "laptop" });
  expect(file).toContain("\nEndpoint = [2a01:4f8::7]:51820\n");
  // No resolver with IPv4 can be reached through it.
  expect(file).toMatch(/^Address = 10\.8\.0\.\d+\/32, fd[\da-f:]+\/128$/m);
  expect(file).toMatch(/^DNS = 2606:4700:4700::1111, 2606:4700:4700::1001, 1\.1\.1\.1, 1\.0\.0\.1$/m);
});

test.each([
  ["as it is kept", "2a01:4f8::9"],
  ["in full and in capitals", "2A01:04F8:0:0:0:0:0:9"],
])(
  "a server with IPv6 only, its address written %s, is set up, serves members there, and is added once",
  async (_, host) => {
    club = await startClub();
    club.remotes.rent("2a01:4f8::9");
    const admin = await club.admin();
    const login = { port: 22, username: "root", password: "right" };
    const add = (at: string) =>
      club
        .as(admin)
        .send("POST", "/api/admin/servers", { name: "VPS", isMain: true, credentials: { host: at, ...login } });
    const added = await add(host);
    expect(added.status).toBe(201);
    const { id } = added.body as { id: string };
    for (const step of ["install-docker", "install-wireguard", "configure-wireguard"] as const) {
      const { body } = await club.as(admin).call(`POST /admin/servers/{id}/${step}`, { params: { id } });
      expect(body).toMatchObject({ success: true });
    }
    const server = (await club.as(admin).call("GET /admin/servers")).body.find((each) => each.id === id);
    expect(server).toMatchObject({
      isMain: true,
      defaultEndpoint: "2a01:4f8::9",
      credentials: { host: "2a01:4f8::9" },
    });
    const [made] = (await club.app.parts.interfaces.ofServer(club.db, id)) ?? [];
    expect(made?.subnet_v6).toMatch(/^fd.*\/64$/);
    const create = (body: object) =>
      club.as(admin).call("POST /admin/servers/{serverId}/create-interface", { params: { serverId: id }, body });
    expect((await create({})).body.interface.subnetV6).not.toBeNull();
    expect((await create({ ipv6: false })).body.interface.subnetV6).toBeNull();
    const anna = await club.member();
    expect(await fileOf(anna, { name: "laptop", interfaceId: made?.id })).toContain(
      "\nEndpoint = [2a01:4f8::9]:51820\n",
    );
    expect((await add("2a01:4f8:0:0::9")).code).toBe("server.exists");

    const change = await club.as(admin).send("PUT", `/api/admin/servers/${id}`, { endpoint: "2A01:4F8:0::A" });
    expect([change.status, change.body]).toMatchObject([200, { endpoint: "2a01:4f8::a" }]);
  },
);
