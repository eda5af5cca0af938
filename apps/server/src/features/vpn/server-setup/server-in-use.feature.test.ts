import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { newFingerprint } from "../../../../testing/fake-remotes.ts";
import {
  AT,
  added,
  admin,
  away,
  club,
  credentials,
  rentMachine,
  setUp,
  shown,
  step,
  stepsOf,
  vps,
} from "../../../../testing/rented-machine.ts";
import type { Person } from "../../../../testing/start-club.ts";

rentMachine();

describe("a server in use", () => {
  const ready = async () => {
    const { id } = await added({ isMain: true });
    await setUp(id);
    return id;
  };
  const makeConfig = async (owner: Person, name: string) =>
    (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) })).body;
  const tcpProbe = () => club.app.parts.servers.timed.find(({ name }) => name === "servers that are away")?.run();

  test("that is down keeps requested changes, and applies them once it is back", async () => {
    const id = await ready();
    const anna = await club.member();
    const first = await makeConfig(anna, "first");
    vps.away = away();
    const second = await makeConfig(anna, "second");
    await club.as(anna).call("DELETE /vpn/configs/{id}", { params: { id: first.id } });
    expect(await shown(id)).toMatchObject({ status: "error", problem: "silent" });
    expect(vps.host.peers()).toHaveLength(1);
    await tcpProbe();
    await club.settle();
    expect(await shown(id)).toMatchObject({ status: "error" });
    vps.away = null;
    await tcpProbe();
    await club.settle();
    expect(await shown(id)).toMatchObject({ status: "connected", problem: null });
    const file = String(
      (await club.as(anna).call("GET /vpn/configs/{id}/download", { params: { id: second.id } })).body,
    );
    expect(vps.host.peers()).toHaveLength(1);
    expect(file).toContain("Endpoint");
  });

  test("that is down for two minutes is notified to staff once, and so is its return", async () => {
    await ready();
    const told = async () =>
      (await club.as(admin).call("GET /inbox")).body.flatMap(({ kind }) => (kind.startsWith("server_") ? [kind] : []));
    const tell = () => club.app.parts.servers.timed.find(({ name }) => name === "servers that are gone")?.run();
    vps.away = away();
    await club.app.lookAtServers();
    await club.settle();
    club.clock.advance(119_000);
    await tell();
    expect(await told()).toEqual([]);
    club.clock.advance(1_000);
    await tell();
    await tell();
    expect(await told()).toEqual(["server_gone"]);
    vps.away = null;
    club.clock.advance(1_000);
    await tcpProbe();
    await club.settle();
    expect(await told()).toEqual(["server_back", "server_gone"]);
  });

  test("whose host key changed is left alone until an admin accepts the new one", async () => {
    const id = await ready();
    const anna = await club.member();
    vps.hostKey = newFingerprint();
    const logins = vps.logins.length;
    await makeConfig(anna, "first");
    await club.app.lookAtServers();
    await club.settle();
    expect(await shown(id)).toMatchObject({
      status: "error",
      problem: "host_key_changed",
      shownFingerprint: vps.hostKey,
    });
    expect(vps.logins).toHaveLength(logins);
    const accept = (fingerprint: string) =>
      club.as(admin).call("POST /admin/servers/{id}/accept-host-key", { params: { id }, body: { fingerprint } });
    expect(await accept(newFingerprint())).toMatchObject({ status: 409, code: "server.changed_meanwhile" });
    expect(await accept(vps.hostKey)).toMatchObject({ status: 200 });
    await club.settle();
    expect(await shown(id)).toMatchObject({ status: "connected", fingerprint: vps.hostKey, shownFingerprint: null });
    expect(vps.host.peers()).toHaveLength(1);
  });

  test("keeps its connection settings if the editor saw older ones", async () => {
    const id = await ready();
    const seen = { host: credentials().host, port: 22, username: "root" };
    const change = (about: object) => club.as(admin).send("PUT", `/api/admin/servers/${id}`, about);
    const first = await change({ credentials: credentials({ port: 2222 }), expected: { credentials: seen } });
    expect(first.status).toBe(200);
    const logins = vps.logins.length;
    const second = await change({ credentials: credentials({ port: 2200 }), expected: { credentials: seen } });
    expect(second).toMatchObject({ status: 409, code: "server.changed_meanwhile" });
    expect(second.body).toMatchObject({ error: { details: { fields: ["credentials"] } } });
    expect(vps.logins, "nothing was sent to the machine").toHaveLength(logins);
    expect(await shown(id)).toMatchObject({ credentials: { port: 2222 } });
  });

  test("keeps its connection settings if the new ones do not lead there", async () => {
    const id = await ready();
    const change = (about: object) =>
      club.as(admin).send("PUT", `/api/admin/servers/${id}`, { credentials: credentials(about) });
    for (const wrong of [{ password: "wrong" }, { host: "203.0.113.10" }])
      expect(await change(wrong)).toMatchObject({ status: 503, code: "server.unreachable" });
    expect(await shown(id)).toMatchObject({ host: AT, status: "connected", needsSetup: false });
    await makeConfig(await club.member(), "first");
    expect(vps.host.peers()).toHaveLength(1);
  });

  test("that was recreated is set up again with another password, and its members' devices keep working", async () => {
    const id = await ready();
    const anna = await club.member();
    await makeConfig(anna, "first");
    const recreated = club.remotes.rent(AT, { password: "new" });
    club.clock.advance(1_000);
    const change = { credentials: credentials({ password: "new" }) };
    await club.as(admin).send("PUT", `/api/admin/servers/${id}`, change);
    expect(await shown(id)).toMatchObject({ problem: "host_key_changed", needsSetup: true });
    await club.as(admin).call("POST /admin/servers/{id}/accept-host-key", {
      params: { id },
      body: { fingerprint: recreated.hostKey },
    });
    expect(await stepsOf(id)).toEqual(["pending", "pending", "pending"]);
    await setUp(id);
    expect(await shown(id)).toMatchObject({ status: "connected", needsSetup: false });
    expect(recreated.host.peers()).toHaveLength(1);
  });

  test("without configs is deleted and left clean; one that is down is refused, and stays", async () => {
    const [own] = (await club.as(admin).call("GET /admin/servers")).body;
    const id = await ready();
    await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: own?.id ?? "" } });
    expect(vps.host.interfaces.size).toBe(1);
    const leave = () => club.as(admin).call("POST /admin/servers/{id}/leave", { params: { id } });
    vps.away = away();
    expect(await leave()).toMatchObject({ status: 503, code: "server.unreachable" });
    expect(await shown(id)).toBeDefined();
    vps.away = null;
    expect((await leave()).body).toEqual({
      isClean: true,
      removed: ["tunnels", "unit", "programs"],
      kept: ["nftables"],
      reason: null,
      why: null,
    });
    expect([vps.host.interfaces.size, vps.left, await shown(id)]).toEqual([0, "root", undefined]);
  });

  test.each([
    ["before anything was put there", []],
    ["after the helper", ["install-docker"]],
    ["before its interface", ["install-docker", "install-wireguard"]],
  ] as const)("whose set-up stopped %s is left clean", async (_, done) => {
    const { id } = await added();
    for (const name of done) await step(id, name);
    // As on a machine whose packages never arrived.
    vps.host.missing.push({ code: "no_programs", why: reason("lack.tun") });
    const answer = await club.as(admin).call("POST /admin/servers/{id}/leave", { params: { id } });
    expect(answer).toMatchObject({ status: 200, body: { isClean: true, reason: null } });
    expect([vps.left, vps.keys.size, await shown(id)]).toEqual(["root", 0, undefined]);
  });

  test("where another club has its tunnels is not set up, and is left as it is", async () => {
    vps.isOthers = true;
    const { id } = await added();
    const answer = await step(id, "install-docker");
    expect(answer.body).toMatchObject({ success: false, failure: "no_tunnels", why: { code: "firewall.others" } });
    const left = await club.as(admin).call("POST /admin/servers/{id}/leave", { params: { id } });
    expect(left.body).toMatchObject({ isClean: false, removed: [], why: { code: "firewall.others" } });
    expect([vps.left, await shown(id)]).toEqual([null, undefined]);
  });

  test("that is deleted while it is down leaves no deleted device's key or address behind", async () => {
    const id = await ready();
    const anna = await club.member();
    const device = await makeConfig(anna, "laptop");
    expect(vps.host.peers()).toHaveLength(1);
    club.remotes.rent("spare.example.org");
    const spare = await added({ name: "Запасной", credentials: credentials({ host: "spare.example.org" }) });
    await setUp(spare.id);
    await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: spare.id } });

    vps.away = away();
    await club.as(anna).call("DELETE /vpn/configs/{id}", { params: { id: device.id } });
    expect((await club.as(admin).call("DELETE /admin/servers/{id}", { params: { id } })).status).toBe(204);
    club.clock.advance(61_000);
    await club.app.parts.configs.purgePast();
    const [row] = await club.app.parts.configs.byIds(club.db, [device.id]);
    expect(row).toMatchObject({ address: "", sealed_private_key: null, leaving_key: null });
  });

  test("with configs is not deleted; without any it is, with its password", async () => {
    const id = await ready();
    const spare = await added({ name: "Запасной", credentials: credentials({ host: "spare.example.org" }) });
    expect((await club.as(admin).call("DELETE /admin/servers/{id}", { params: { id: spare.id } })).status).toBe(204);
    expect(
      (await sql`select id from servers where deleted_at is not null and sealed_password is not null`.execute(club.db))
        .rows,
    ).toEqual([]);
    expect((await club.as(admin).call("DELETE /admin/servers/{id}", { params: { id } })).status).toBe(409);
  });
});
