import type { SetupAnswer } from "@krug/contract/vpn/server-setup";
import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type FakeVps, newFingerprint } from "../../../../testing/fake-remotes.ts";
import { type Heard, type Listening, listen } from "../../../../testing/listen.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { SshFailure } from "../../../hosts/remote.ts";

const AT = "203.0.113.9";
const STEPS = ["install-docker", "install-wireguard", "configure-wireguard"] as const;
type StepCall = (typeof STEPS)[number];

let club: Club;
let admin: Person;
let vps: FakeVps;
const streams: Listening[] = [];
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  vps = club.remotes.rent(AT);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  await club.stop();
});

const credentials = (change: object = {}) => ({ host: AT, port: 22, username: "root", password: "right", ...change });
const add = (body: object = {}) =>
  club.as(admin).send("POST", "/api/admin/servers", { name: "Хельсинки", credentials: credentials(), ...body });
const added = async (body: object = {}) => {
  const answer = await add(body);
  expect(answer.status).toBe(201);
  return answer.body as { id: string; status: string; problem: string | null; fingerprint: string };
};
const step = (id: string, name: StepCall, who = admin) =>
  club.as(who).call(`POST /admin/servers/{id}/${name}`, { params: { id } });
const setUp = async (id: string) => {
  for (const name of STEPS) expect((await step(id, name)).body).toMatchObject({ running: false, success: true });
};
const shown = async (id: string) => (await club.as(admin).call("GET /admin/servers")).body.find((one) => one.id === id);
const stepsOf = async (id: string) =>
  (await club.as(admin).call("GET /admin/servers/{id}/setup", { params: { id } })).body.steps.map(({ state }) => state);
/** The set-up's stream, and what came through it so far. */
const watch = async (id: string) => {
  const stream = await listen(`${club.origin}/api/admin/servers/${id}/setup/stream`, { token: admin.token });
  streams.push(stream);
  const events: Heard[] = [];
  const hear = async () => {
    for (let heard = await stream.next(); heard !== undefined; heard = await stream.next()) events.push(heard);
  };
  hear().catch(() => {});
  return { events };
};
/** A line of a step that waits until the test releases it. */
function gate() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
const away = () => new SshFailure("silent");

describe("adding a server", () => {
  test("connects once, pins its host key and reads its details", async () => {
    const { id, ...server } = await added();
    expect(server).toMatchObject({
      driver: "ssh",
      host: AT,
      credentials: { host: AT, port: 22, username: "root", hasPassword: true },
      fingerprint: vps.hostKey,
      shownFingerprint: null,
      system: "Debian GNU/Linux 12 (bookworm)",
      status: "connected",
      needsSetup: true,
      isSetupComplete: false,
      isMain: false,
      defaultEndpoint: AT,
      whyNotDeleted: null,
    });
    expect(vps.logins).toEqual(["password"]);
    expect(await auditOf(club, id)).toMatchObject([{ action: "server.added" }]);
  });

  test("stores the password sealed, and keeps it out of every answer and the journal", async () => {
    vps.password = "Very-Secret-1";
    const answer = await add({ credentials: credentials({ password: "Very-Secret-1" }) });
    const everything = JSON.stringify([
      answer.body,
      (await club.as(admin).call("GET /admin/servers")).body,
      (await sql`select * from servers`.execute(club.db)).rows,
      (await sql`select * from audit`.execute(club.db)).rows,
    ]);
    expect(everything).not.toContain("Very-Secret-1");
  });

  test.each([
    ["silent", { away: new SshFailure("silent") }],
    ["login_refused", { password: "another" }],
  ] as const)("saves one that cannot be reached with the reason: %s", async (problem, about) => {
    Object.assign(vps, about);
    const server = await added();
    expect(server).toMatchObject({ status: "error", problem });
  });

  test("sends no password to a machine whose fingerprint differs from the provider's, and adds nothing", async () => {
    const answer = await add({ fingerprint: newFingerprint() });
    expect(answer).toMatchObject({ status: 409, code: "server.fingerprint_differs" });
    expect(answer.message).toContain(vps.hostKey);
    expect(vps.logins).toEqual([]);
    expect(await club.as(admin).call("GET /admin/servers")).toMatchObject({ body: [{ name: "Этот сервер" }] });
  });

  test("refuses an address and port that is a server already, and an invalid address", async () => {
    await added();
    expect(await add({ name: "Ещё раз" })).toMatchObject({ status: 409, code: "server.exists" });
    for (const host of ["два слова", "host:22", "-oProxyCommand=id", "$(id)"])
      expect((await add({ credentials: credentials({ host }) })).status).toBe(400);
    for (const username of ["root; id", "-l", "a b"])
      expect((await add({ credentials: credentials({ username }) })).status).toBe(400);
  });

  test("without a password the panel's own key is used, which is the same for every server", async () => {
    const { publicKey } = (await club.as(admin).call("GET /admin/servers/ssh-key")).body;
    vps.keys.add(publicKey);
    expect(await added({ credentials: credentials({ password: undefined }) })).toMatchObject({ status: "connected" });
    expect(vps.logins).toEqual(["key"]);
  });
});

describe("a machine that cannot be a server", () => {
  const ALPINE = { failure: "unsupported_system", detail: "Alpine Linux v3.22" };

  test("is recognised at first contact, and is refused before anything is installed", async () => {
    vps.about.unfit = ALPINE;
    const { id, ...server } = await added();
    expect(server).toMatchObject({ status: "connected", problem: null, unfit: ALPINE });
    expect((await step(id, "install-docker")).body).toMatchObject({
      success: false,
      failure: ALPINE.failure,
      why: { said: ALPINE.detail },
    });
    expect([vps.keys.size, vps.begun.size]).toEqual([0, 0]);
    expect(await shown(id)).toMatchObject({ credentials: { hasPassword: true } });
  });

  test("can become one: the next inspection says so, and set-up continues", async () => {
    vps.about.unfit = { failure: "no_space", detail: "12 MB" };
    const { id } = await added();
    vps.about.unfit = null;
    await setUp(id);
    expect(await shown(id)).toMatchObject({ unfit: null, needsSetup: false });
  });

  test("shows no code that the panel does not know", async () => {
    vps.about.unfit = { failure: "<b>", detail: null };
    expect(await added()).toMatchObject({ unfit: null });
  });
});

describe("a machine that accepts keys only", () => {
  test("is reported as such, and works once the panel's key is there, with the password already given", async () => {
    vps.keysOnly = true;
    const { id, ...server } = await added();
    expect(server).toMatchObject({ status: "error", problem: "keys_only" });
    expect((await step(id, "install-docker")).body).toMatchObject({ success: false, failure: "keys_only" });
    const { publicKey } = (await club.as(admin).call("GET /admin/servers/ssh-key")).body;
    vps.keys.add(publicKey);
    await club.as(admin).call("GET /admin/servers/{id}/refresh", { params: { id } });
    expect(await shown(id)).toMatchObject({ status: "connected", problem: null });
    club.clock.advance(1_000);
    await setUp(id);
    expect(new Set(vps.logins)).toEqual(new Set(["key"]));
  });
});

describe("a password that has to be changed first", () => {
  const change = (id: string, body: object) =>
    club.as(admin).send("POST", `/api/admin/servers/${id}/new-password`, body);

  test("is reported as such, changed from the page, and the server continues with the new one", async () => {
    vps.isExpired = true;
    const { id, ...server } = await added();
    expect(server).toMatchObject({ status: "error", problem: "password_expired" });
    const answer = await change(id, { password: "Another-Secret-1" });
    expect(answer).toMatchObject({ status: 200, body: { status: "connected", problem: null } });
    expect(vps.password).toBe("Another-Secret-1");
    expect(JSON.stringify(answer.body)).not.toContain("Another-Secret-1");
    const kept = JSON.stringify([
      (await sql`select * from servers`.execute(club.db)).rows,
      (await sql`select * from audit`.execute(club.db)).rows,
    ]);
    expect(kept).not.toContain("Another-Secret-1");
    expect((await auditOf(club, id)).map(({ action }) => action)).toContain("server.password_changed");
    await setUp(id);
  });

  test("stays as it was if the machine refuses the new one, and the reason is shown", async () => {
    Object.assign(vps, { isExpired: true, refusesPassword: "BAD PASSWORD: it is too short" });
    const { id } = await added();
    const answer = await change(id, { password: "too simple" });
    expect(answer).toMatchObject({ status: 409, code: "server.password_refused" });
    expect(answer.message).toContain("BAD PASSWORD: it is too short");
    vps.refusesPassword = null;
    expect(await change(id, { password: "Another-Secret-1" })).toMatchObject({ status: 200 });
  });

  test("of a server with the panel's key needs the current one too, and is not stored", async () => {
    const { id } = await added();
    await setUp(id);
    vps.isExpired = true;
    expect(await change(id, { password: "Another-Secret-1" })).toMatchObject({ code: "server.password_missing" });
    expect(await change(id, { password: "Another-Secret-1", current: "right" })).toMatchObject({ status: 200 });
    expect(await shown(id)).toMatchObject({ status: "connected", credentials: { hasPassword: false } });
  });

  test("with control characters or too few letters is refused", async () => {
    const { id } = await added();
    for (const password of ["with\nanother line", "with\u0003 a control", "short"])
      expect((await change(id, { password })).status).toBe(400);
  });
});

describe("the three steps", () => {
  test("make it a server that members use, by the panel's key only", async () => {
    const { id } = await added();
    await setUp(id);
    expect(await shown(id)).toMatchObject({
      isSetupComplete: true,
      needsSetup: false,
      status: "connected",
      interfaceCount: 1,
      credentials: { hasPassword: false },
    });
    expect((await sql`select sealed_password from servers where id = ${id}`.execute(club.db)).rows).toEqual([
      { sealed_password: null },
    ]);
    await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id } });
    const anna = await club.member();
    const made = await club.as(anna).call("POST /vpn/configs", { body: await configInput(club, anna) });
    expect(made.status).toBe(201);
    expect(vps.host.peers()).toHaveLength(1);
    expect(club.host.peers()).toEqual([]);
    const file = await club.as(anna).call("GET /vpn/configs/{id}/download", { params: { id: made.body.id } });
    expect(String(file.body)).toContain(`Endpoint = ${AT}:51820`);
    expect(new Set(vps.logins.slice(vps.logins.indexOf("key")))).toEqual(new Set(["key"]));
  });

  test("run in order; one that succeeded is not repeated", async () => {
    const { id } = await added();
    expect(await step(id, "install-wireguard")).toMatchObject({ status: 409, code: "setup.not_yet" });
    await step(id, "install-docker");
    await step(id, "install-docker");
    expect([...vps.begun.values()]).toEqual(["docker"]);
    expect(await stepsOf(id)).toEqual(["success", "pending", "pending"]);
  });

  describe("the place of the tunnels", () => {
    const setupOf = async (id: string) =>
      (await club.as(admin).call("GET /admin/servers/{id}/setup", { params: { id } })).body;
    const choose = (id: string, tunnelsIn: "docker" | "system") => {
      club.clock.advance(1_000);
      return club.as(admin).send("PUT", `/api/admin/servers/${id}/setup`, { tunnelsIn });
    };

    test("is a container, as specified, and does not change once the first step has started", async () => {
      const { id } = await added();
      expect(await setupOf(id)).toMatchObject({ tunnelsIn: "docker", whySystem: null });
      await setUp(id);
      expect(vps.place).toBe("docker");
      vps.about = { ...vps.about, memory: 400 * 1024 ** 2 };
      await club.as(admin).send("PUT", `/api/admin/servers/${id}`, { credentials: credentials() });
      expect(await setupOf(id)).toMatchObject({ tunnelsIn: "docker", whySystem: "little_memory" });
    });

    test.each([
      ["little memory", { memory: 800 * 1024 ** 2 }, "little_memory"],
      ["little room", { room: 1.5e9 }, "little_room"],
      ["a Docker of others", { hasDocker: true }, "foreign_docker"],
    ] as const)(
      "is the system, with the reason, on a machine with %s, unless an admin wants a container",
      async (_, about, whySystem) => {
        vps.about = { ...vps.about, ...about };
        const { id } = await added();
        expect(await setupOf(id)).toMatchObject({ tunnelsIn: "system", whySystem });
        await step(id, "install-docker");
        expect(vps.place).toBe("system");
        expect((await choose(id, "docker")).body).toMatchObject({ tunnelsIn: "docker", whySystem });
        expect(await stepsOf(id), "what was done for the other place is done again").toEqual([
          "pending",
          "pending",
          "pending",
        ]);
        await setUp(id);
        expect(vps.place).toBe("docker");
      },
    );

    test("is what the admin chose when adding it", async () => {
      const { id } = await added({ tunnelsIn: "system" });
      expect(await setupOf(id)).toMatchObject({ tunnelsIn: "system", whySystem: null });
      await setUp(id);
      expect(vps.place).toBe("system");
    });

    test("can be changed on a working server by the same steps: keys, port and files stay, and it is audited", async () => {
      const { id } = await added({ tunnelsIn: "system", isMain: true });
      await setUp(id);
      const anna = await club.member();
      const make = async (name: string) =>
        (await club.as(anna).call("POST /vpn/configs", { body: await configInput(club, anna, { name }) })).body;
      const made = await make("first");
      const fileOf = async () =>
        (await club.as(anna).call("GET /vpn/configs/{id}/download", { params: { id: made.id } })).body;
      const [before, peers] = [String(await fileOf()), vps.host.peers()];
      await choose(id, "docker");
      expect(await shown(id)).toMatchObject({ tunnelsIn: "docker", needsSetup: true, status: "connected" });
      await make("second");
      expect(vps.host.peers(), "it serves meanwhile").toHaveLength(2);
      for (const name of STEPS) {
        expect(await shown(id), "until the last step").toMatchObject({ needsSetup: true });
        await step(id, name);
      }
      expect(await shown(id)).toMatchObject({ tunnelsIn: "docker", needsSetup: false });
      expect(vps.host.peers()).toEqual(expect.arrayContaining(peers));
      expect(String(await fileOf())).toBe(before);
      expect((await auditOf(club, id)).filter(({ action }) => action === "server.changed")).toMatchObject([
        { before: { tunnels_in: "system" }, after: { tunnels_in: "docker" } },
      ]);
    });

    test("does not change while a step runs; changed back in time it needs no further set-up", async () => {
      const { id } = await added();
      const held = gate();
      vps.steps.docker = [held.promise, "#krug done"];
      const begun = step(id, "install-docker");
      await expect.poll(() => vps.begun.size).toBe(1);
      expect(await choose(id, "system")).toMatchObject({ status: 409, code: "setup.busy" });
      held.open();
      await begun;
      await step(id, "install-wireguard");
      await step(id, "configure-wireguard");
      await choose(id, "system");
      await choose(id, "docker");
      expect(await shown(id)).toMatchObject({ needsSetup: false });
    });
  });

  test("a failure says what failed, and the next try continues from there", async () => {
    vps.steps.wireguard = ["E: Could not get lock", "#krug fail package_lock 812 (unattended-upgr)"];
    const { id } = await added();
    await step(id, "install-docker");
    expect((await step(id, "install-wireguard")).body).toMatchObject({
      running: false,
      success: false,
      failure: "package_lock",
      why: { said: "812 (unattended-upgr)" },
      logs: ["E: Could not get lock", "#krug fail package_lock 812 (unattended-upgr)"],
    });
    expect(await stepsOf(id)).toEqual(["success", "error", "pending"]);
    vps.steps.wireguard = ["#krug done"];
    expect((await step(id, "install-wireguard")).body).toMatchObject({ success: true });
  });

  test("two admins share one run, and see its lines as they come", async () => {
    const held = gate();
    vps.steps.docker = ["первая строка", held.promise, "вторая", "#krug done"];
    const { id } = await added();
    const other = await club.admin();
    const both = [step(id, "install-docker"), step(id, "install-docker", other)];
    const stream = await watch(id);
    await expect.poll(() => JSON.stringify(stream.events)).toContain("первая строка");
    expect(JSON.stringify(stream.events)).not.toContain("вторая");
    held.open();
    for (const answer of await Promise.all(both)) expect(answer.body).toMatchObject({ success: true });
    expect(vps.begun.size).toBe(1);
    const last = () => stream.events.findLast(({ event }) => event === "setup")?.data as SetupAnswer | undefined;
    await expect.poll(() => last()?.steps[0]?.state).toBe("success");
    const lines = stream.events
      .filter(({ event }) => event === "line")
      .map(({ data }) => (data as { text: string }).text);
    expect(lines).toEqual(["#krug stage keys", "первая строка", "вторая", "#krug done"]);
    expect(await step(id, "install-wireguard")).toMatchObject({ status: 200 });
  });

  test("a page opened later starts with the earlier lines", async () => {
    const { id } = await added();
    await step(id, "install-docker");
    const stream = await watch(id);
    await expect.poll(() => JSON.stringify(stream.events)).toContain("docker_unneeded");
  });

  test("a lost connection does not end a step: it continues where it was, without repeating a line", async () => {
    const held = gate();
    vps.steps.docker = ["раз", "два", held.promise, "три", "#krug done"];
    const { id } = await added();
    const begun = step(id, "install-docker");
    const stream = await watch(id);
    await expect.poll(() => JSON.stringify(stream.events)).toContain("два");
    vps.away = away();
    held.open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    vps.away = null;
    expect((await begun).body).toMatchObject({
      success: true,
      logs: ["#krug stage keys", "раз", "два", "три", "#krug done"],
    });
    expect(vps.begun.size).toBe(1);
  });

  test("a second break of the connection restarts the time the machine may be down", async () => {
    const [first, second] = [gate(), gate()];
    vps.steps.docker = ["раз", first.promise, "два", second.promise, "#krug done"];
    const { id } = await added();
    const begun = step(id, "install-docker");
    const stream = await watch(id);
    const heard = (line: string) =>
      expect.poll(() => JSON.stringify(stream.events), { timeout: 10_000 }).toContain(line);
    const breakOff = async (held: { open(): void }) => {
      vps.away = away();
      held.open();
      // Long enough to be noticed; if the step has not noticed yet, the test is easier, not red.
      await new Promise((resolve) => setTimeout(resolve, 50));
      vps.away = null;
    };
    await heard("раз");
    await breakOff(first);
    await heard("два");
    club.clock.advance(11 * 60_000);
    await breakOff(second);
    expect((await begun).body).toMatchObject({ success: true, logs: ["#krug stage keys", "раз", "два", "#krug done"] });
  });

  test("a killed panel continues after its start", async () => {
    const held = gate();
    vps.steps.docker = ["раз", held.promise, "#krug done"];
    const { id } = await added();
    void step(id, "install-docker").catch(() => {});
    await expect.poll(() => vps.begun.size).toBe(1);
    const restarted = club.restart();
    held.open();
    await restarted;
    await club.app.parts.serverSetup.timed[0]?.run();
    await expect.poll(() => stepsOf(id)).toEqual(["success", "pending", "pending"]);
    expect(vps.begun.size).toBe(1);
  });

  test("can be cancelled, which takes effect before the next command", async () => {
    const held = gate();
    vps.steps.wireguard = ["раз", held.promise, "два", "#krug done"];
    const { id } = await added();
    await step(id, "install-docker");
    const begun = step(id, "install-wireguard");
    await expect.poll(() => vps.begun.size).toBe(2);
    await club.as(admin).call("POST /admin/servers/{id}/setup/cancel", { params: { id } });
    held.open();
    expect((await begun).body).toMatchObject({ success: false, failure: "cancelled" });
  });

  test("a wrong sudo password is reported, and the next try uses the one given then", async () => {
    vps.sudoPassword = "another";
    const { id } = await added({ credentials: credentials({ username: "ops" }) });
    expect((await step(id, "install-docker")).body).toMatchObject({ success: false, failure: "not_root" });
    vps.sudoPassword = "right";
    expect((await step(id, "install-docker")).body).toMatchObject({ success: true });
  });

  test("a disk without room for the panel's programs is reported as such", async () => {
    vps.isFull = true;
    const { id } = await added();
    expect((await step(id, "install-docker")).body).toMatchObject({ success: false, failure: "no_space" });
    vps.isFull = false;
    expect((await step(id, "install-docker")).body).toMatchObject({ success: true });
  });

  test("the panel's own machine needs none of them", async () => {
    const [own] = (await club.as(admin).call("GET /admin/servers")).body;
    expect(await step(own?.id ?? "", "install-docker")).toMatchObject({ status: 409, code: "server.is_local" });
  });

  test("a machine without a free subnet is reported as such, and the step continues once one is free", async () => {
    const { id } = await added();
    for (const name of STEPS.slice(0, 2)) await step(id, name);
    vps.host.foreign.subnets.push("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16");
    expect((await step(id, "configure-wireguard")).body).toMatchObject({ success: false, failure: "no_room" });
    vps.host.foreign.subnets.pop();
    expect((await step(id, "configure-wireguard")).body).toMatchObject({ success: true });
    expect([...vps.host.addresses.values()]).toEqual([["192.168.0.1/24"]]);
  });

  test("one machine is one server, whatever its name", async () => {
    const { id } = await added();
    await setUp(id);
    const twin = club.remotes.rent("vpn.example.org", { hostKey: vps.hostKey });
    twin.host.machine = vps.host.machine;
    const second = await added({ name: "Тот же", credentials: credentials({ host: "vpn.example.org" }) });
    for (const name of STEPS.slice(0, 2)) await step(second.id, name);
    expect((await step(second.id, "configure-wireguard")).body).toMatchObject({
      failure: "same_machine",
      why: { ru: "Хельсинки", en: "Хельсинки" },
    });
    expect(twin.host.interfaces.size).toBe(0);
  });
});

test("being the main server takes effect when set-up completes", async () => {
  const { id } = await added({ isMain: true });
  expect(await shown(id)).toMatchObject({ isMain: false });
  await setUp(id);
  expect(await shown(id)).toMatchObject({ isMain: true });
});

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
    vps = club.remotes.rent(AT, { password: "new" });
    club.clock.advance(1_000);
    const change = { credentials: credentials({ password: "new" }) };
    await club.as(admin).send("PUT", `/api/admin/servers/${id}`, change);
    expect(await shown(id)).toMatchObject({ problem: "host_key_changed", needsSetup: true });
    await club.as(admin).call("POST /admin/servers/{id}/accept-host-key", {
      params: { id },
      body: { fingerprint: vps.hostKey },
    });
    expect(await stepsOf(id)).toEqual(["pending", "pending", "pending"]);
    await setUp(id);
    expect(await shown(id)).toMatchObject({ status: "connected", needsSetup: false });
    expect(vps.host.peers()).toHaveLength(1);
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
