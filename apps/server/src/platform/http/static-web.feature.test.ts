import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Club, type Person, startClub } from "../../dev/start-club.ts";

let club: Club;
const folder = mkdtempSync(join(tmpdir(), "krug-web-"));
beforeAll(async () => {
  for (const page of ["index", "dashboard"])
    writeFileSync(join(folder, `${page}.html`), `<html><head><title>${page}</title></head><body></body></html>`);
  club = await startClub({ webFolder: folder });
});
afterAll(async () => {
  await club.stop();
  rmSync(folder, { recursive: true });
});

async function open(path: string, person?: Person) {
  const headers: Record<string, string> = person === undefined ? {} : { cookie: `krug_session=${person.token}` };
  const page = await club.guest.send("GET", path, undefined, headers);
  const html = String(page.body);
  const json = /<script type="application\/json" id="first-answers">(.*?)<\/script>/.exec(html)?.[1];
  return { page, html, answers: json === undefined ? {} : (JSON.parse(json) as Record<string, never>) };
}

/** The same, until these answers travel with it: on a machine that has much to do one may come too late for the page. */
const openWith = (answers: string[], path: string, person?: Person) =>
  vi.waitFor(async () => {
    const opened = await open(path, person);
    for (const answer of answers) expect(opened.answers).toHaveProperty([answer]);
    return opened;
  }, 20_000);

test("the dashboard comes with what its script asks first, as answered to this very visitor, and is kept by nobody", async () => {
  const [boris, vera] = [await club.member(), await club.member()];
  const { page, answers } = await openWith(["/auth/me", "/vpn/configs"], "/dashboard", boris);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const asked = await club.as(boris).call("GET /auth/me");
  expect(answers["/auth/me"]).toEqual(asked.body);
  expect(answers["/vpn/configs"]).toEqual([]);
  expect((await openWith(["/auth/me"], "/dashboard", vera)).answers["/auth/me"]).toMatchObject({ id: vera.id });
});

test("a guest's page holds nothing of a member, and no refusal that his browser could believe", async () => {
  const { html, answers } = await openWith(["/security/gate"], "/dashboard");
  expect(html).toContain("<title>dashboard</title>");
  expect(Object.keys(answers)).toEqual(["/security/gate"]);
  expect(Object.keys((await openWith(["/security/gate"], "/no-such-page", await club.member())).answers)).toEqual([
    "/security/gate",
  ]);
});

test("a name cannot end the element that it travels in", async () => {
  const name = "</script><script>alert(1)</script>";
  const named = await club.member({ row: { display_name: name } });
  const { html, answers } = await openWith(["/auth/me"], "/dashboard", named);
  expect(html.split("<script>")).toHaveLength(1);
  expect(answers["/auth/me"]).toMatchObject({ displayName: name });
});
