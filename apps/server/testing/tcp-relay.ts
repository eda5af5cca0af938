import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Sits between a panel and its database, and fails the way networks do. */
export interface TcpRelay {
  readonly port: number;
  /** From now on drops everything, silently; given a text, only on connections that began with it. */
  swallow(what: boolean | string): void;
  /** From now on ends every connection, existing ones too, as when nobody listens. */
  refuse(isRefusing: boolean): void;
  /**
   * Ends the connection that sends `text` next, before the text arrives or after its answer: the sender never sees the answer.
   * Only a connection that has sent `first` before: panels have other work on other connections.
   */
  cutAt(text: string, when: "before" | "after", first: string): void;
  close(): Promise<void>;
}

export async function startTcpRelay(to: { host: string; port: number }): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let swallowed: boolean | string = false;
  let cut: { text: string; when: "before" | "after"; first: string } | null = null;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = connect(to.port, to.host);
    let isLast = false;
    let hasSentFirst = false;
    let greeting: Buffer | null = null;
    const isSwallowed = () => (typeof swallowed === "string" ? greeting?.includes(swallowed) === true : swallowed);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    near.on("data", (data) => {
      greeting ??= data;
      if (isSwallowed()) return;
      if (cut !== null && data.includes(cut.first)) hasSentFirst = true;
      const when = cut !== null && hasSentFirst && data.includes(cut.text) ? cut.when : null;
      if (when !== null) cut = null;
      if (when === "before") return end();
      isLast = when === "after";
      far.write(data);
    });
    far.on("data", (data) => {
      if (isSwallowed()) return;
      if (isLast) return end();
      near.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow(what) {
      swallowed = what;
    },
    refuse(isIt) {
      isRefusing = isIt;
      if (isIt) endAll();
    },
    cutAt(text, when, first) {
      cut = { text, when, first };
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
