import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { added, admin, club, rentMachine, setUp, shown, step, vps } from "../../../../testing/rented-machine.ts";

rentMachine();

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
