import { generateKeyPair } from "@krug/wireguard/keys";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let club: Club;
let boris: Person;
let id: string;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member();
  id = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body.id;
});
afterEach(() => club.stop());

const key = () => club.host.peers()[0]?.publicKey ?? "";
const download = () => club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id } });
const use = (received: number, sent: number) =>
  club.host.use(key(), { rx: sent, tx: received }, club.clock.now().getTime());
/** Bytes arrive but no session results. */
const tcpProbe = (sent: number) => {
  const [peer] = club.host.peers();
  club.host.use(key(), { rx: sent, tx: 0 }, peer?.lastHandshakeAt as never);
};
const diagnosis = async (query: { clock?: number } = {}) => {
  club.clock.advance(3_000);
  return (await club.as(boris).call("GET /vpn/configs/{id}/diagnosis", { params: { id }, query })).body;
};

describe("the likely cause is found from the server's data", () => {
  test("a device that never connected, one whose handshakes arrive, one that is connected, one that is idle", async () => {
    await download();
    expect((await diagnosis()).cause).toBe("never_connected");
    tcpProbe(148);
    expect(await diagnosis()).toMatchObject({ cause: "udp_blocked", sentLately: 148, lastHandshake: null });
    use(2_000, 900);
    expect((await diagnosis()).cause).toBe("no_dns");
    use(4_000_000, 90_000);
    expect(await diagnosis()).toMatchObject({ cause: "all_well", receivedLately: 4_002_000, sentLately: 91_048 });
    club.clock.advance(3 * HOUR_MS);
    expect(await diagnosis()).toMatchObject({ cause: "switched_off", receivedLately: 0 });
    tcpProbe(148);
    expect((await diagnosis()).cause).toBe("udp_blocked");
  });

  test("the asking device's clock is compared with the server's", async () => {
    await download();
    const answer = await diagnosis({ clock: club.clock.now().getTime() - HOUR_MS });
    expect(answer).toMatchObject({ cause: "clock", clockAhead: -HOUR_MS - 3_000 });
    expect((await diagnosis({ clock: club.clock.now().getTime() + MINUTE_MS })).cause).toBe("never_connected");
  });

  test("an edited service, and new keys not downloaded yet, make the file outdated until it is downloaded", async () => {
    const admin = await club.admin();
    const [service] = (await club.as(boris).call("GET /services")).body;
    const setIps = async (...ips: string[]) => {
      await club.as(admin).call("PUT /services/{id}", { params: { id: service?.id ?? "" }, body: { ips } });
      await club.settle();
    };
    await setIps("198.51.100.0/24");
    club.clock.advance(1_000);
    await download();
    use(4_000_000, 90_000);
    await setIps("203.0.113.0/24");
    expect(await diagnosis()).toMatchObject({ cause: "outdated_file", fileOutdated: true });
    await download();
    expect((await diagnosis()).cause).toBe("all_well");
    await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id } });
    expect((await diagnosis()).cause).toBe("outdated_file");
  });

  test("a server that is down is named with since when, and its details are not revealed", async () => {
    await download();
    club.host.away = "ssh: connect to 198.51.100.7 refused";
    await club.app.lookAtServers();
    await club.settle();
    const answer = await diagnosis();
    expect(answer).toMatchObject({ cause: "server_away", serverName: "Этот сервер" });
    expect(answer.serverAwaySince).toMatch(/^2026-11-21T/);
    expect(JSON.stringify(answer)).not.toContain("198.51.100");
  });

  test("an ended subscription is the cause, with the day it ended", async () => {
    club.clock.advance(29 * 24 * HOUR_MS);
    await club.as(boris).call("GET /auth/me");
    club.clock.advance(2 * 24 * HOUR_MS);
    await club.app.parts.configs.cutEnded();
    await club.settle();
    expect(await diagnosis()).toMatchObject({
      cause: "expired",
      applied: false,
      entitlement: { reason: "expired", until: "2026-12-21T12:00:00.000+03:00" },
    });
  });
});

describe("staff see what the member would see now", () => {
  const asked = async (who: Person, configId = id, query: { as?: "moderator" } = {}) => {
    club.clock.advance(3_000);
    return club.as(who).call("GET /admin/configs/{id}/diagnosis", { params: { id: configId }, query });
  };

  test("the same cause and facts each time, with the time of the diagnosis, but not the clock of a device that did not ask", async () => {
    const turns = [
      () => download(),
      () => use(4_000_000, 90_000),
      () => club.clock.advance(3 * HOUR_MS),
      () => tcpProbe(148),
      async () => {
        club.host.away = "ssh: connect to 198.51.100.7 refused";
        await club.app.lookAtServers();
        await club.settle();
      },
    ];
    const causes = [];
    for (const turn of turns) {
      await turn();
      // An elevation does not last for hours.
      const { body: seen } = await asked(await club.moderator());
      expect(seen.checkedAt).toBe(club.clock.now().toISOString());
      const own = (await club.as(boris).call("GET /vpn/configs/{id}/diagnosis", { params: { id } })).body;
      expect(seen).toEqual({ ...own, clockAhead: null });
      causes.push(seen.cause);
    }
    expect(causes).toEqual(["never_connected", "all_well", "switched_off", "udp_blocked", "server_away"]);
    expect(JSON.stringify((await asked(await club.moderator())).body)).not.toContain("198.51.100");
  });

  test("no secrets and no address; a key that only a browser has is treated like others", async () => {
    const pair = generateKeyPair();
    const anna = await club.member();
    const wish = await configInput(club, anna, { publicKey: pair.publicKey });
    const { body: made } = await club.as(anna).call("POST /vpn/configs", { body: wish });
    expect(made.keyOrigin).toBe("browser");
    const staff = await club.moderator();
    const [ofPanel, ofBrowser] = [(await asked(staff)).body, (await asked(staff, made.id)).body];
    expect(Object.keys(ofBrowser)).toEqual(Object.keys(ofPanel));
    const secrets = [pair.publicKey, pair.privateKey, ...club.host.peers().flatMap((peer) => [peer.publicKey])];
    const said = JSON.stringify([ofPanel, ofBrowser]);
    for (const secret of [
      ...secrets,
      made.template
        ?.split("\n")
        .find((line) => line.startsWith("Address"))
        ?.slice(10),
    ])
      expect(said).not.toContain(secret ?? "");
    expect(said).not.toMatch(/\d+\.\d+\.\d+\.\d+|[+/\w]{42}=/);
  });

  test("a VIP member's device does not exist for a moderator, nor for an admin who looks as one; a deleted one for nobody", async () => {
    const vip = await club.member({ row: { is_vip: 1 } });
    const hers = (await club.as(vip).call("POST /vpn/configs", { body: await configInput(club, vip) })).body.id;
    const [staff, admin] = [await club.moderator(), await club.admin()];
    expect((await asked(staff, hers)).code).toBe("config.not_found");
    expect((await asked(admin, hers)).status).toBe(200);
    expect((await asked(admin, hers, { as: "moderator" })).code).toBe("config.not_found");
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    expect((await asked(admin)).code).toBe("config.not_found");
    expect((await asked(admin, "00000000-0000-4000-8000-000000000000")).code).toBe("config.not_found");
  });
});

test("others' configs, unknown and deleted ones are not found", async () => {
  const anna = await club.member();
  const ask = async (someone: Person) =>
    (await club.as(someone).call("GET /vpn/configs/{id}/diagnosis", { params: { id } })).code;
  expect(await ask(anna)).toBe("config.not_found");
  expect(await ask(await club.admin())).toBe("config.not_found");
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
  expect(await ask(boris)).toBe("config.not_found");
});

test("the time of a device must be valid, or is refused by name", async () => {
  const answer = await club.as(boris).send("GET", `/api/vpn/configs/${id}/diagnosis?clock=yesterday`);
  expect([answer.code, answer.message]).toEqual(["request.invalid", expect.stringContaining("clock")]);
});
