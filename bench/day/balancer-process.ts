import { startBalancer } from "../../lab/balancer.ts";

/* One process of the bench's balancer: a process may open 20,000 files here, and each connection takes two. */

process.once("message", async ({ panels }: { panels: string[] }) => {
  const { url } = await startBalancer(panels);
  process.send?.({ url });
});
process.once("disconnect", () => process.exit());
