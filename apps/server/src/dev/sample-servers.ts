import type { App } from "../app.ts";

/** A call by an admin past the second factor. */
type Send = (url: string, payload: object, method?: "POST" | "PUT") => Promise<{ id: string }>;

/** Gives the machine a host name, which survives a change of address, and a second interface for members assigned to it. */
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
