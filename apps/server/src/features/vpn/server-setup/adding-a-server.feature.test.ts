import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { newFingerprint } from "../../../../testing/fake-remotes.ts";
import {
  AT,
  add,
  added,
  admin,
  club,
  credentials,
  rentMachine,
  setUp,
  shown,
  step,
  vps,
} from "../../../../testing/rented-machine.ts";
import { SshFailure } from "../../../hosts/remote.ts";

rentMachine();

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
