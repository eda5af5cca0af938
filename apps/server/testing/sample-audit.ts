import type { App } from "../src/app.ts";

type Send = (url: string, payload: object, method?: "POST" | "PUT") => Promise<unknown>;

/** Recent acts of staff, so the audit log has something to show. */
export async function workAsStaff(app: App, send: Send): Promise<void> {
  const { db, catalog } = app.parts;
  const change = (username: string, wish: object) => send(`/api/users/${username}`, wish, "PUT");
  await send("/api/admin/settings", { graceHours: 6, moderatorMayPasswordLinks: true }, "PUT");
  await change("oleg", { vpnConfigLimit: 5, displayName: "Олег Дмитриев" });
  await change("oleg", { displayName: "Олег", vpnConfigLimit: 3 });
  await send("/api/users/timur/password-link", {});
  await send("/api/admin/security", { exceptions: ["203.0.113.0/28", "2001:db8:5::/48"] }, "PUT");
  const games = (await catalog.services(db)).find(({ name }) => name === "Игры");
  if (games) await send(`/api/services/${games.id}`, { name: "Игры и магазины" }, "PUT");
  if (games) await send(`/api/services/${games.id}`, { name: "Игры" }, "PUT");
  const interfaces = (await app.parts.interfaces.all(db)).map(({ id }) => id);
  if (interfaces.length > 0) await send("/api/admin/invite-codes", { interfaces, subscriptionDays: 30, maxUses: 5 });
}
