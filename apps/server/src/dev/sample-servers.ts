import type { App } from "../app.ts";

/** A call of an admin past the second factor. */
type Send = (url: string, payload: object, method?: "POST" | "PUT") => Promise<{ id: string }>;

/** The machine has a name that survives a change of address, and a second interface for those whom an admin puts there. */
export async function sampleServers(app: App, sendAsAdmin: Send): Promise<void> {
  const { db, servers, interfaces } = app.parts;
  const [server] = await servers.all(db);
  if (server === undefined) return;
  await sendAsAdmin(`/api/admin/servers/${server.id}`, { name: "Хельсинки", endpoint: "hel.krug.example" }, "PUT");
  await sendAsAdmin(`/api/admin/servers/${server.id}/create-interface`, { name: "Семья" });
  const family = (await interfaces.ofServer(db, server.id)).find(({ name }) => name === "Семья");
  if (family === undefined) return;
  for (const userId of ["vera", "anton"])
    await sendAsAdmin("/api/admin/servers/interfaces/assign", { userId, interfaceId: family.id });
}
