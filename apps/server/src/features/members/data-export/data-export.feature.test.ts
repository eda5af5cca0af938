import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member({ username: "boris" });
});
afterEach(() => club.stop());

interface Cached {
  account: { username: string; subscription: object };
  sessions: { device: string }[];
  configs: { name: string; deletedAt: string | null; address: string | null; traffic: object[]; services: string[] }[];
  invitations: { codes: object[]; friends: { displayName: string }[] };
}
const download = (someone: Person) => club.as(someone).call("GET /users/me/export");
const kept = async (someone: Person) => (await download(someone)).body as unknown as Cached;
const make = async (name: string) =>
  (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) })).body;

test("the file has a recognisable name and only its member gets it", async () => {
  const anna = await club.member({ username: "anna" });
  await make("laptop");
  const answer = await download(boris);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="krug-boris-2026-11-21.json"');
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect((await kept(boris)).account.username).toBe("boris");
  expect(await kept(anna)).toMatchObject({ account: { username: "anna" }, configs: [] });
});

test("it has the account, sessions, configs with their traffic, and invitations", async () => {
  const { id } = await make("gone");
  await make("laptop");
  const [, laptop] = club.host.peers();
  club.host.use(laptop?.publicKey ?? "", { rx: 10, tx: 2_000 }, club.clock.now().getTime());
  await club.app.parts.reconciler.readAll();
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
  await club.as(boris).call("POST /users/generate-invite", { body: {} });
  await club.member({ row: { friend_of: boris.id, display_name: "Анна" } });
  const file = await kept(boris);
  expect(file.sessions).toMatchObject([{ device: "Test" }]);
  expect(file.configs.find(({ name }) => name === "laptop")).toMatchObject({
    deletedAt: null,
    address: expect.stringMatching(/^10\.8\./),
    bytesReceived: 2_000,
    traffic: [{ day: "2026-11-21", received: 2_000, sent: 10 }],
  });
  expect(file.configs.find(({ name }) => name === "gone")?.deletedAt).toBe(club.clock.now().toISOString());
  expect(file.invitations.codes).toMatchObject([{ used: false }]);
  expect(file.invitations.friends).toMatchObject([{ displayName: "Анна" }]);
});

test("it holds no secret: no private or shared key, password hash, session token or invite code", async () => {
  const { id } = await make("laptop");
  const text = String((await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id } })).body);
  const { code } = (await club.as(boris).call("POST /users/generate-invite", { body: {} })).body;
  const file = JSON.stringify(await kept(boris));
  for (const name of ["PrivateKey", "PresharedKey"]) {
    const secret = new RegExp(`^${name} = (.+)$`, "m").exec(text)?.[1];
    expect(secret, name).toMatch(/=$/);
    expect(file).not.toContain(secret);
  }
  for (const secret of [boris.token, PASSWORD, code, "argon2", "sealed", "v1."]) expect(file).not.toContain(secret);
});

test("a moderator's file reveals nothing of VIP members", async () => {
  const vera = await club.moderator();
  await club.member({ row: { friend_of: vera.id, display_name: "Тень", is_vip: 1 } });
  await club.member({ row: { friend_of: vera.id, display_name: "Анна" } });
  expect((await kept(vera)).invitations.friends.map(({ displayName }) => displayName)).toEqual(["Анна"]);
});

test("exports count against the same limit as creations", async () => {
  const answers: (string | undefined)[] = [];
  for (let i = 0; i < 61; i++) answers.push((await download(boris)).code);
  expect(answers.slice(0, 60).every((code) => code === undefined)).toBe(true);
  expect(answers[60]).toBe("request.too_many");
});
