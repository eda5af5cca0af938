import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("the dashboard comes with what its script asks first, as answered to this very visitor, and is kept by nobody", async () => {
  const [boris, vera] = [await club.member(), await club.member()];
  const { page, answers } = await open("/dashboard", boris);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const asked = await club.as(boris).call("GET /auth/me");
  expect(answers["/auth/me"]).toEqual(asked.body);
  expect(answers["/vpn/configs"]).toEqual([]);
  expect((await open("/dashboard", vera)).answers["/auth/me"]).toMatchObject({ id: vera.id });
});

test("a guest's page holds nothing of a member, and no refusal that his browser could believe", async () => {
  const { html, answers } = await open("/dashboard");
  expect(html).toContain("<title>dashboard</title>");
  expect(Object.keys(answers)).toEqual(["/security/gate"]);
  expect(Object.keys((await open("/no-such-page", await club.member())).answers)).toEqual(["/security/gate"]);
});

test("a name cannot end the element that it travels in", async () => {
  const name = "</script><script>alert(1)</script>";
  const { html, answers } = await open("/dashboard", await club.member({ row: { display_name: name } }));
  expect(html.split("<script>")).toHaveLength(1);
  expect(answers["/auth/me"]).toMatchObject({ displayName: name });
});
