import { setTimeout as wait } from "node:timers/promises";
import type { SetupAnswer } from "@krug/contract/vpn/server-setup";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import {
  AT,
  added,
  admin,
  away,
  club,
  credentials,
  gate,
  rentMachine,
  STEPS,
  setUp,
  shown,
  step,
  stepsOf,
  vps,
  watch,
} from "../../../../testing/rented-machine.ts";

rentMachine();

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
    await wait(50);
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
      await wait(50);
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

  test("that began under a clock ahead of time continue once it is right", async () => {
    const ahead = 21 * 86_400_000;
    club.clock.advance(ahead);
    const early = await club.admin();
    const body = { name: "Хельсинки", credentials: credentials() };
    const { id } = (await club.as(early).send("POST", "/api/admin/servers", body)).body as { id: string };
    vps.isFull = true;
    expect((await step(id, "install-docker", early)).body).toMatchObject({ failure: "no_space" });
    vps.isFull = false;
    club.clock.advance(-ahead);
    await setUp(id);
    expect(await stepsOf(id)).toEqual(["success", "success", "success"]);
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
