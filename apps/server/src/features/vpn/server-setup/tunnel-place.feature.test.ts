import { describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import {
  added,
  admin,
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
} from "../../../../testing/rented-machine.ts";

rentMachine();

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
