import type { App } from "../src/app.ts";
import { beginningOf, SPANS } from "../src/features/vpn/server-history/index.ts";
import { addToSteps } from "../src/features/vpn/server-history/repository.ts";

/** A call by an admin past the second factor. */
type Send = (url: string, payload: object, method?: "POST" | "PUT") => Promise<{ id: string }>;

/** Gives the machine a host name, which survives a change of address; before any file is downloaded, as it outdates them. */
export async function nameSampleServer(app: App, sendAsAdmin: Send, endpoint: string | null): Promise<void> {
  const [server] = await app.parts.servers.all(app.parts.db);
  if (server === undefined) return;
  await sendAsAdmin(
    `/api/admin/servers/${server.id}`,
    { name: "Хельсинки", ...(endpoint !== null && { endpoint }) },
    "PUT",
  );
}

/** Gives it a second interface for members assigned to it. */
export async function sampleServers(app: App, sendAsAdmin: Send): Promise<void> {
  const { db, servers, interfaces } = app.parts;
  const [server] = await servers.all(db);
  if (server === undefined) return;
  await sendAsAdmin(`/api/admin/servers/${server.id}/create-interface`, { name: "Семья" });
  const family = (await interfaces.ofServer(db, server.id)).find(({ name }) => name === "Семья");
  if (family === undefined) return;
  for (const userId of ["vera", "anton"])
    await sendAsAdmin("/api/admin/servers/interfaces/assign", { userId, interfaceId: family.id });
}

/** The machine's last month: busier in the evening, with an hour without readings. */
export async function sampleServerHistory(app: App): Promise<void> {
  const { db, transact, clock, servers } = app.parts;
  const [server] = await servers.all(db);
  if (server === undefined) return;
  const now = clock.now().getTime();
  const steps = Object.values(SPANS).flatMap(({ step, count }) =>
    Array.from({ length: count }, (_, back) => ({
      step,
      at: beginningOf(step, now) - (back + 1) * step * 1_000,
      back,
    })),
  );
  const isSeen = ({ step, back }: { step: number; back: number }) => step > 3_600 || back < 130 || back > 142;
  await transact((tx) =>
    addToSteps(
      tx,
      steps.filter(isSeen).map(({ step, at, back }) => {
        const hour = (at / 3_600_000) % 24;
        const evening = Math.exp(-(((hour - 18) / 4) ** 2));
        const busy = 0.25 + 0.7 * evening + 0.12 * Math.abs(Math.sin(back * 1.7));
        return {
          server_id: server.id,
          step,
          at,
          readings: 1,
          cpu: Math.round(430 * busy),
          memory: Math.round((1.9 + 0.9 * busy) * 2 ** 30),
          memory_total: 8 * 2 ** 30,
          load: Math.round(1_300 * busy),
          network_in: Math.round(2_600_000 * busy),
          network_out: Math.round(2_900_000 * busy),
        };
      }),
    ),
  );
}
