import { DAY_MS } from "@krug/domain/moment";
import type { ProbeReply } from "@krug/domain/probe";
import { generateKeyPair } from "@krug/wireguard/keys";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { runOldProgram } from "../../../../testing/old-program.ts";
import { added, admin, away, club, rentMachine, setUp, vps } from "../../../../testing/rented-machine.ts";
import { SshFailure } from "../../../hosts/remote.ts";

let reply: ProbeReply | Promise<never> = "answered";
let greeted = () => {};
rentMachine({
  greet: async () => {
    greeted();
    return reply;
  },
});

const [laptop, phone] = [generateKeyPair(), generateKeyPair()];
const DEVICES = [
  { name: "anna", keys: laptop },
  { name: "boris", keys: phone },
];
const day = () => new Date(club.clock.now().getTime() + 30 * DAY_MS).toISOString().slice(0, 10);

async function ready(by: "quick" | "container" = "quick") {
  [reply, greeted] = ["answered", () => {}];
  const { id } = await added();
  await setUp(id);
  const program = runOldProgram(vps, DEVICES, by);
  const params = { id };
  const wish = (change: object = {}) => ({
    program: program.name,
    publicKey: program.own.publicKey,
    newMembersUntil: day(),
    devices: DEVICES.map(({ name, keys }) => ({
      publicKey: keys.publicKey,
      newMember: { username: name },
      name,
      deviceType: "computer" as const,
    })),
    ...change,
  });
  const as = () => club.as(admin);
  const moved = async () => (await as().call("GET /admin/servers/{id}/old-programs", { params })).body.moved;
  return {
    id,
    program,
    moved,
    find: () => as().call("POST /admin/servers/{id}/old-programs/find", { params }),
    preview: (body: object = {}) =>
      as().call("POST /admin/servers/{id}/old-programs/preview", { params, body: { program: program.name, ...body } }),
    take: (change: object = {}, who = admin) =>
      club.as(who).call("POST /admin/servers/{id}/old-programs/take", { params, body: wish(change) }),
    links: () => as().call("POST /admin/servers/{id}/old-programs/links", { params }),
    back: () => as().call("POST /admin/servers/{id}/old-programs/back", { params }),
    keep: () => as().call("DELETE /admin/servers/{id}/old-programs", { params }),
    until: (state: string) => expect.poll(async () => (await moved())?.state, { timeout: 15_000 }).toBe(state),
    /** What the schedule does every ten seconds. */
    tick: () => club.app.parts.foundPrograms.timed[0]!.run(),
    ours: async () =>
      (await as().call("GET /admin/servers/interfaces")).body.find(({ subnet }) => subnet === "10.9.0.0/24"),
  };
}
type Ready = Awaited<ReturnType<typeof ready>>;

/** Exactly one of the two serves the devices. */
async function served({ program, ours }: Ready, by: "club" | "old program") {
  if (by === "club") await expect.poll(ours).toMatchObject({ configCount: 2, peerCount: 2, conflict: null });
  const mine = await ours();
  if (by === "club") {
    expect(program.isEnabled).toBe(false);
    const keys = vps.host.devicesOn(mine?.interfaceName ?? "").map(({ publicKey }) => publicKey);
    expect(keys.sort()).toEqual([laptop.publicKey, phone.publicKey].sort());
  } else {
    expect(mine).toBeUndefined();
    expect(program).toMatchObject({ isRunning: true, isEnabled: true });
  }
}
const newcomers = async () =>
  (await club.as(admin).call("GET /users")).body.filter(({ username }) => ["anna", "boris"].includes(username)).length;

describe.each(["quick", "container"] as const)("a program that runs by %s", (by) => {
  test("is found with its devices, taken over with links for new members, and comes back", async () => {
    const it = await ready(by);
    expect((await it.find()).body.programs).toEqual([
      {
        name: it.program.name,
        startedBy: by === "quick" ? "wg-quick" : "container",
        isRunning: true,
        removesItself: false,
        found: { subnet: "10.9.0.0/24", amneziawg: null, devices: 2 },
        problem: null,
      },
    ]);
    const seen = await it.preview();
    expect(seen.body).toMatchObject({ listenPort: 51900, devices: [{ name: "anna" }, { name: "boris" }] });
    expect(JSON.stringify(seen.body)).not.toContain(it.program.own.privateKey);
    expect((await it.take()).body.moved).toMatchObject({ name: it.program.name });
    await it.until("done");
    await served(it, "club");
    expect((await it.moved())?.invited.map(({ username }) => username)).toEqual(["anna", "boris"]);
    const { invited } = (await it.links()).body;
    expect(invited.map(({ link }) => link)).toEqual([
      expect.stringContaining("/password#"),
      expect.stringContaining("/password#"),
    ]);
    await it.back();
    await it.until("left");
    await served(it, "old program");
    expect(await newcomers(), "members stay").toBe(2);
    expect((await it.keep()).body).toEqual({ moved: null });
    const acts = (await auditOf(club, it.id)).filter(({ action }) => action.startsWith("server.import"));
    expect(acts.map(({ action, actorId }) => [action, actorId]).sort()).toEqual([
      ["server.import_begun", admin.id],
      ["server.import_reversed", admin.id],
    ]);
  });

  test("comes back by itself if the club's interface does not answer", async () => {
    const it = await ready(by);
    reply = "silent";
    const asked = new Promise<void>((resolve) => {
      greeted = resolve;
    });
    await it.take();
    await asked;
    // The club's clock stands still here: one that is set back must not prolong it.
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 91_000);
    onTestFinished(() => later.mockRestore());
    await it.until("left");
    expect((await it.moved())?.why?.code).toBe("import.silent");
    await served(it, "old program");
  });
});

describe("the panel is killed", () => {
  const container = [
    ["before stop_container", "club"],
    ["after stop_container", "club"],
    ["answer", "club"],
    ["before start_container", "old program"],
    ["after start_container", "old program"],
  ] as const;
  const quick = [
    ["before retire_quick", "club"],
    ["after retire_quick", "club"],
    ["before start_quick", "old program"],
    ["after start_quick", "old program"],
  ] as const;
  test.each([
    ...container.map((each) => ["container", ...each] as const),
    ...quick.map((each) => ["quick", ...each] as const),
  ])("of a %s, %s: nothing is lost, and the %s serves in the end", async (by, moment, serves) => {
    const it = await ready(by);
    let reached = () => {};
    const killedAt = new Promise<void>((resolve) => {
      reached = resolve;
    });
    let kill = (_error: Error) => {};
    const hang = new Promise<never>((_, reject) => {
      kill = reject;
    });
    hang.catch(() => {});
    it.program.at = async (each) => {
      if (each !== moment) return;
      it.program.at = async () => {};
      reached();
      await hang;
    };
    if (moment === "answer") [reply, greeted] = [hang, reached];
    await it.take();
    if (serves === "old program") {
      await it.until("done");
      await it.back();
    }
    await killedAt;
    // From here on it writes nothing.
    const ended = club.app.parts.foundPrograms.stop();
    kill(new SshFailure("lost"));
    reply = "answered";
    await ended;
    const { rows } = await sql<{ state: string }>`select state from old_programs`.execute(club.db);
    expect(rows[0]?.state, "it is written how far it was").toMatch(/taking|answering|leaving/);
    await club.restart();
    await it.tick();
    await it.until(serves === "club" ? "done" : "left");
    await served(it, serves);
    expect(await newcomers()).toBe(2);
    expect((await it.links()).body.invited).toHaveLength(2);
  });
});

test("a connection that breaks in the middle brings the old program back once the machine is there again", async () => {
  const it = await ready("container");
  it.program.at = async (moment) => {
    if (moment !== "after stop_container") return;
    it.program.at = async () => {};
    vps.away = away();
    throw new SshFailure("lost");
  };
  await it.take();
  await expect.poll(async () => (await it.moved())?.trouble?.code, { timeout: 10_000 }).toBe("ssh.silent");
  expect(await it.moved()).toMatchObject({ state: "leaving", why: { code: "ssh.lost" } });
  vps.away = null;
  await it.until("left");
  await served(it, "old program");
});

test("two staff at once: one import, and the other is told", async () => {
  const it = await ready();
  const other = await club.admin();
  const answers = await Promise.all([it.take(), it.take({}, other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  await it.until("done");
  await served(it, "club");
  expect(await it.take()).toMatchObject({ status: 409, code: expect.stringMatching(/can_go_back|already_here/) });
  expect(await newcomers()).toBe(2);
});

test("what would be refused is refused before anything stops", async () => {
  const it = await ready("container");
  expect(
    await it.take({ devices: [{ publicKey: laptop.publicKey, userId: it.id, name: "x", deviceType: "phone" }] }),
  ).toMatchObject({ code: "member.not_found" });
  expect(await it.take({ publicKey: phone.publicKey })).toMatchObject({ code: "old_program.changed" });
  expect(await it.take({ program: "other" })).toMatchObject({ code: "old_program.gone" });
  it.program.removesItself = true;
  expect(await it.take()).toMatchObject({ code: "old_program.removes_itself" });
  expect(it.program.calls.filter((call) => call !== "look")).toEqual([]);
  expect(await it.moved()).toBeNull();
  expect(await it.back()).toMatchObject({ code: "old_program.nothing_moved" });
});

test("the panel's own machine and one that is not set up are left alone", async () => {
  const [local] = (await club.as(admin).call("GET /admin/servers")).body;
  const call = (id: string) => club.as(admin).call("POST /admin/servers/{id}/old-programs/find", { params: { id } });
  expect(await call(local!.id)).toMatchObject({ code: "old_program.on_panel" });
  const { id } = await added();
  expect(await call(id)).toMatchObject({ code: "server.not_set_up" });
});

test("a way back that is kept for good makes room for another, and one under way is not forgotten", async () => {
  const it = await ready();
  reply = "silent";
  await it.take();
  await it.until("answering");
  expect(await it.keep()).toMatchObject({ code: "old_program.busy" });
  expect(await it.back()).toMatchObject({ code: "old_program.busy" });
  reply = "answered";
  await it.until("done");
  expect((await it.keep()).body).toEqual({ moved: null });
  expect(await it.back()).toMatchObject({ code: "old_program.nothing_moved" });
  await served(it, "club");
});

describe("a machine that lies", () => {
  const line = (...fields: string[]) => `${fields.join("\t")}\n`;
  test.each([
    ["prints nothing of use", "\u0000\u0001 garbage\nquick\nfile\nbeside\t\t\n"],
    ["names a command", line("quick", "wg-quick", "wg0; reboot", "enabled", "yes")],
    ["names an option", line("container", "--force", "true", "no:0", "false", "-", "-")],
    ["has a state of its own", line("quick", "wg-quick", "wg0", "enabled --now", "yes")],
    ["has a policy of its own", line("container", "wg-easy", "true", "always --privileged:0", "false", "-", "-")],
  ])("%s: there is no such program", async (_, prints) => {
    const it = await ready();
    it.program.prints = `${prints}${line("file", "/etc/wireguard/wg0.conf", Buffer.from("[Interface]\n").toString("base64"))}`;
    expect((await it.find()).body).toEqual({ programs: [] });
  });

  test("says which program's files cannot be read, and why", async () => {
    const it = await ready();
    it.program.prints =
      line("quick", "wg-quick", "wg0", "enabled", "yes") +
      line(
        "file",
        `/etc/${"x".repeat(400)}\u0007.conf`,
        Buffer.from("[Interface]\nPrivateKey = no\n").toString("base64"),
      );
    const [program] = (await it.find()).body.programs;
    expect(program).toMatchObject({ name: "wg0", found: null, problem: { code: "import.file_wrong" } });
    expect(program!.problem!.en.length).toBeLessThan(500);
  });

  test("cannot name more programs or files than a real one has", async () => {
    const it = await ready();
    const config = Buffer.from(
      `[Interface]\nPrivateKey = ${it.program.own.privateKey}\nAddress = 10.9.0.1/24\n`,
    ).toString("base64");
    it.program.prints = Array.from(
      { length: 500 },
      (_, at) => line("quick", "wg-quick", `wg${at}`, "enabled", "no") + line("file", "/etc/wireguard/wg.conf", config),
    ).join("");
    expect((await it.find()).body.programs).toHaveLength(20);
  });
});
