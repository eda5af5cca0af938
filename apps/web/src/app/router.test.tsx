import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { gate } from "../features/access/security-gate/gate.ts";
import { openPage, screens } from "../testing/open-page.tsx";
import { type Panel, panel } from "../testing/panel.ts";
import { member } from "../testing/samples.ts";
import { twoFactorOn } from "../testing/staff.ts";

screens();

/** The visitors, and the panel's answers about them (specification, member's side 2). */
const inside: Panel = { "GET /vpn/configs": [], "GET /vpn/available-interfaces": [], "GET /users/{id}/invited": [] };
const staffsInside: Panel = { ...inside, "GET /totp/{id}/status": twoFactorOn };
const turnedAway: Panel = {
  "GET /security/gate": { enabled: true, services: [], blockedCountries: ["UA"], supportContact: null },
  "GET /security/geo": { country: "UA" },
  "GET /security/vpn": { proxy: false, vpn: false },
};
const people = {
  guest: {},
  member: { "GET /auth/me": member(), ...inside },
  moderator: { "GET /auth/me": member({ role: "moderator" }), ...staffsInside },
  admin: { "GET /auth/me": member({ role: "admin" }), ...staffsInside },
  "denied guest": turnedAway,
  "denied member": { "GET /auth/me": member(), ...inside, ...turnedAway },
} satisfies Record<string, Panel>;
type Who = keyof typeof people;

const everyone = (to: string): Record<Who, string> =>
  Object.fromEntries(Object.keys(people).map((who) => [who, to])) as Record<Who, string>;
const denied = (to: string) => ({ "denied guest": to, "denied member": to });

/** The guests' pages: anyone signed in is redirected to their own. */
const guestsOnly = (door: string) => ({ ...everyone("/dashboard"), guest: door, ...denied("/404") });
/** The administration area: members are kept out (specification, operator's side 2). */
const staffOnly = (from: string, to: string) => ({
  ...everyone("/dashboard"),
  guest: `/login?to=${encodeURIComponent(from)}`,
  moderator: to,
  admin: to,
  ...denied("/404"),
});
/** Any other path. */
const unknown = { ...everyone("/"), ...denied("/404") };

const ROUTES: Record<string, Record<Who, string>> = {
  // Public: the address stays, though denied visitors see the denial instead of the page.
  "/": everyone("/"),
  "/setup": everyone("/setup"),
  "/password": everyone("/password"),
  "/404": everyone("/404"),
  "/login": guestsOnly("/login"),
  "/register": guestsOnly("/register"),
  "/dashboard": { ...everyone("/dashboard"), guest: "/login?to=%2Fdashboard", ...denied("/404") },
  "/dashboard?from=mail": {
    ...everyone("/dashboard?from=mail"),
    guest: "/login?to=%2Fdashboard%3Ffrom%3Dmail",
    ...denied("/404"),
  },
  "/no-such-page": unknown,
  "/dashboard/no-such-page": unknown,
  "/admin": staffOnly("/admin", "/admin/users"),
  "/admin/users": staffOnly("/admin/users", "/admin/users"),
  "/admin/2fa": staffOnly("/admin/2fa", "/admin/2fa"),
  "/admin/no-such-section": staffOnly("/admin/no-such-section", "/admin/users"),
};

const rows = Object.entries(ROUTES).flatMap(([path, ends]) =>
  (Object.keys(people) as Who[]).map((who) => [path, who, ends[who]] as const),
);

test.each(rows)("%s, opened by a %s, ends at %s", async (path, who, end) => {
  panel(people[who]);
  if (who.startsWith("denied")) gate.start();
  const { address } = openPage(path);
  // Denied visitors see the denial instead of any page.
  const isDenied = who.startsWith("denied");
  // Staff are asked for a code before they see a section.
  const level = end.startsWith("/admin") ? 2 : 1;
  await screen.findByRole("heading", { level, name: isDenied ? /Доступ.запрещён/ : /^(?!Доступ)/ });
  await waitFor(() => expect(address()).toBe(end));
});

test.each([
  ["/dashboard", "/dashboard"],
  ["/dashboard?from=mail", "/dashboard?from=mail"],
  ["/login", "/dashboard"],
  ["/no-such-page", "/dashboard"],
  ["//evil.example/dashboard", "/dashboard"],
  ["https://evil.example/dashboard", "/dashboard"],
  ["/\\evil.example", "/dashboard"],
])("somebody going to %s is at %s after signing in", async (to, end) => {
  const { say } = panel({ "POST /auth/login": { token: "t", user: member() }, ...inside });
  const { user, address } = openPage(`/login?to=${encodeURIComponent(to)}`);
  await user.type(await screen.findByLabelText("Имя пользователя"), "marina_l");
  await user.type(screen.getByLabelText("Пароль"), "secret-pass");
  say({ "GET /auth/me": member() });
  await user.click(screen.getByRole("button", { name: "Войти" }));
  expect(await screen.findByRole("heading", { name: "Здравствуйте, Марина" })).toBeTruthy();
  expect(address()).toBe(end);
});
