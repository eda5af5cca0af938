import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import * as lab from "./network.ts";
import { configInputOf, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";

/* A device that was switched off for not being seen comes back over a real tunnel, with the file it always had (ADR 186). */
const TARGET = `http://${lab.TARGET_ADDRESS}/`;

let network: lab.LabNetwork;
let panel: LabPanel;
let member: Visitor;
const devices: { id: string; file: string; tunnel: lab.Tunnel }[] = [];
const reaches = async (place: number) => (await lab.fetchFrom(network.clients[place]!, TARGET)) !== null;
const keysOf = (text: string) =>
  text.split("\n").filter((line) => /^(PrivateKey|Address|PresharedKey|PublicKey) = /.test(line));

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 2 });
  await lab.startServices(network.target, { tcp: [80] });
  panel = await startPanel(network, network.host);
  const { admin } = await setUpAdmin(panel);
  ({ member } = await invite(panel, admin, "anna"));
  for (const [place, name] of ["phone", "tv"].entries()) {
    const { id } = await member.ask("POST /vpn/configs", { body: { ...(await configInputOf(member)), name } });
    const file = await member.download(id);
    devices.push({ id, file, tunnel: await lab.tunnelUp(network, network.clients[place]!, file) });
    await lab.until(`${name} reaches the target`, () => reaches(place), 40_000);
  }
});
afterAll(() => network?.close());

const stateOf = async (id: string) => (await member.ask("GET /vpn/configs")).find((config) => config.id === id);

test("switched off, it is off the wire, and the member's other device is not", async () => {
  await panel.end("SIGTERM");
  const database = await openSqlite(`${panel.dataDir}/krug.db`);
  await sql`update configs set dormant_since = ${Date.now()} where id = ${devices[1]!.id}`.execute(database.db);
  await database.close();
  await panel.start();
  await lab.until("it is off", async () => !(await reaches(1)), 90_000);
  expect((await stateOf(devices[1]!.id))?.dormant).not.toBeNull();
  expect(await reaches(0)).toBe(true);
});

test("one press of its member, and the file on the device connects again, with the same keys and address", async () => {
  await member.ask("POST /vpn/configs/{id}/reactivate", { params: { id: devices[1]!.id } });
  await devices[1]!.tunnel.again();
  await lab.until("it is back", () => reaches(1), 40_000);
  expect(keysOf(await member.download(devices[1]!.id))).toEqual(keysOf(devices[1]!.file));
  expect((await stateOf(devices[1]!.id))?.dormant).toBeNull();
});
