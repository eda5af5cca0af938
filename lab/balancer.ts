import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Distributes connections over panels in turn, like a balancer that knows nothing about the panel. */
export interface Balancer {
  /** e.g. http://127.0.0.1:40123 */
  readonly url: string;
  close(): Promise<void>;
}

/** A connection that one panel refuses goes to the next. If a panel breaks it off, so does the balancer. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const ports = urls.map((url) => Number(new URL(url).port));
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((near) => {
    open.add(near);
    near.on("error", () => near.destroy()).on("close", () => open.delete(near));
    const first = turn++;
    const lead = (tries: number) => {
      const far = connect(ports[(first + tries) % ports.length] ?? 0, "127.0.0.1");
      const next = () => (tries + 1 < ports.length ? lead(tries + 1) : near.destroy());
      far.on("error", next);
      far.once("connect", () => {
        far.off("error", next).on("error", () => near.destroy());
        near.pipe(far).pipe(near);
        near.once("close", () => far.destroy());
        far.once("close", () => near.destroy());
      });
    };
    lead(0);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
