import { expect, onTestFinished, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(options: Parameters<typeof startClub>[0] = {}): Promise<Club> {
  const club = await startClub(options);
  onTestFinished(() => club.stop());
  return club;
}
const steps = async (club: Club, admin: Person) => (await club.as(admin).call("GET /admin/guide")).body.steps;

test("each step is ticked automatically, and the first member ends the guide", async () => {
  const club = await aClub();
  const admin = await club.admin();
  expect(await steps(club, admin)).toEqual({
    server: true,
    endpoint: true,
    catalog: true,
    code: false,
    member: false,
    telegram: false,
  });
  const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  const terms = { interfaces: [place?.id ?? ""], subscriptionDays: 30 };
  const { code } = (await club.as(admin).call("POST /admin/invite-codes", { body: terms })).body;
  expect(await steps(club, admin)).toMatchObject({ code: true, member: false });
  await club.moderator();
  expect(await steps(club, admin), "staff are no members yet").toMatchObject({ member: false });
  const body = { inviteCode: code, username: "newcomer", password: "a long password" };
  await club.guest.call("POST /auth/register", { body });
  expect(await steps(club, admin)).toBeNull();
});

test("it shows that a server or a catalogue is missing", async () => {
  const club = await aClub({ localServer: "off" });
  const admin = await club.admin();
  for (const { id } of (await club.as(admin).call("GET /services")).body)
    await club.as(admin).call("DELETE /services/{id}", { params: { id } });
  await club.member();
  expect(await steps(club, admin)).toEqual({
    server: false,
    endpoint: false,
    catalog: false,
    code: true,
    member: true,
    telegram: false,
  });
});

test("a machine behind NAT has no address for devices: the guide asks for one before the first config", async () => {
  const club = await aClub({ ownAddress: "192.168.1.7" });
  const admin = await club.admin();
  expect(await steps(club, admin)).toMatchObject({ server: true, endpoint: false });
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  expect(server).toMatchObject({ endpoint: null, defaultEndpoint: null, isSetupComplete: true });
  const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  const offered = async () =>
    (await club.as(admin).call("GET /vpn/available-interfaces")).body.map(({ id, reason }) => ({ id, reason }));
  expect(await offered()).toEqual([{ id: place?.id, reason: "server_unready" }]);
  const params = { id: server?.id ?? "" };
  await club.as(admin).call("PUT /admin/servers/{id}", { params, body: { endpoint: "vpn.example.org" } });
  expect(await steps(club, admin)).toMatchObject({ endpoint: true });
  expect(await offered()).toEqual([{ id: place?.id, reason: null }]);
});

test("a private address that the operator names is accepted", async () => {
  const club = await aClub({
    ownAddress: "192.168.1.7",
    environment: { PUBLIC_URL: "http://192.168.1.7:3001", INSECURE_HTTP: "on" },
  });
  expect(await steps(club, await club.admin())).toMatchObject({ endpoint: true });
});

test("an admin dismisses it for themselves, on every browser and permanently; the others keep it", async () => {
  const club = await aClub();
  const [admin, other] = [await club.admin(), await club.admin()];
  for (let n = 0; n < 2; n++) expect((await club.as(admin).call("POST /admin/guide/dismiss")).status).toBe(204);
  await club.restart();
  expect(await steps(club, admin)).toBeNull();
  expect(await steps(club, other)).not.toBeNull();
});
