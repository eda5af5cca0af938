import { reason } from "@krug/domain/reasons";
import { type About, type Remote, SshFailure, type Target } from "../../../hosts/remote.ts";
import type { Tx } from "../../../platform/database/database.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { SshKey } from "./ssh-key.ts";
import type { ServerRow } from "./table.ts";

/** What a server's sealed SSH password is bound to. */
export const passwordPlace = (id: string) => `servers.password:${id}`;

export const sealedPassword: SealedColumn = {
  table: "servers",
  column: "sealed_password",
  key: ["id"],
  place: ({ id = "" }) => passwordPlace(id),
};

export type Connections = ReturnType<typeof makeConnections>;

/** Servers that are reached in another way from now on, or are deleted. */
const WAY_CHANGED = "servers.way_changed";

const wayOf = ({ ssh_host, ssh_port, ssh_username, host_key, sealed_password }: ServerRow) =>
  [ssh_host, ssh_port, ssh_username, host_key, sealed_password].join(" ");

/** How servers over SSH are reached: by a password until set-up has put the panel's own key there. */
export function makeConnections(
  { db, signals, sealing, remotes, fencing }: Pick<ServerParts, "db" | "signals" | "sealing" | "remotes" | "fencing">,
  sshKey: () => Promise<SshKey>,
) {
  /** `way`: as it was when its connection was opened. */
  const open = new Map<string, { remote: Remote; way: string | null }>();

  const passwordOf = ({ id, sealed_password }: Pick<ServerRow, "id" | "sealed_password">) =>
    sealed_password === null ? null : sealing.open(passwordPlace(id), sealed_password);

  const targetOf = async (server: ServerRow): Promise<Target> => {
    const password = passwordOf(server);
    const { privateKey } = await sshKey();
    return {
      host: server.ssh_host ?? "",
      port: server.ssh_port ?? 22,
      username: server.ssh_username ?? "root",
      // A machine that accepts keys only may have been given the panel's by hand.
      login: password === null ? { privateKey } : { password, privateKey },
      hostKey: server.host_key,
      isPrepared: server.is_prepared === 1,
      generation: await fencing.read(),
    };
  };

  /** The next call reconnects with the server's current row. */
  const forget = (id: string): void => {
    open.get(id)?.remote.close();
    open.delete(id);
  };
  signals.on(WAY_CHANGED, (ids) => {
    for (const id of ids) forget(id);
  });
  signals.onGap(async () => {
    const ways = new Map((await repository.all(db)).map((server) => [server.id, wayOf(server)]));
    for (const [id, { way }] of open) if (way !== null && ways.get(id) !== way) forget(id);
  });

  return {
    targetOf,
    passwordOf,
    /** Its machine, over one persistent connection. */
    remoteOf({ id }: ServerRow): Remote {
      const known = open.get(id);
      if (known !== undefined) return known.remote;
      const remote = remotes.open(async () => {
        const server = await repository.find(db, id);
        if (server === undefined) throw new SshFailure("lost", { why: reason("server.deleted") });
        if (server.shown_host_key !== null)
          throw new SshFailure("host_key_changed", {
            shownKey: server.shown_host_key,
          });
        // Only first contact accepts an unknown key, and pins it.
        if (server.host_key === null) throw new SshFailure("lost", { why: reason("server.not_met") });
        const opened = open.get(id);
        if (opened?.remote === remote) opened.way = wayOf(server);
        return targetOf(server);
      });
      open.set(id, { remote, way: null });
      return remote;
    },
    forget,
    /** Every panel drops its connection: whichever holds the server's lease would go on over the former one. */
    changeWay: (tx: Tx, id: string): void => signals.send(tx, WAY_CHANGED, [id]),
    closeAll(): void {
      for (const id of [...open.keys()]) forget(id);
    },
  };
}

export function aboutOf({ about }: Pick<ServerRow, "about">): About | null {
  return about === null ? null : (JSON.parse(about) as About);
}
