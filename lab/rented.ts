import { writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { debianSources, type Mirrors, startMirror } from "./debian-mirror.ts";
import type { Namespace } from "./namespace.ts";
import {
  GATEWAY_V6,
  HOST_ADDRESS,
  HOST_ADDRESS_V6,
  type LabNetwork,
  relayFrom,
  relayTo,
  startScript,
  until,
} from "./network.ts";
import { KEPT } from "./vps-base.ts";

/** A server's connection to the internet, and the test's to its sshd. */
export interface Online {
  /** The port at which this process reaches its port 22. */
  port: number;
  fingerprint: string;
  becomesReachable(): Promise<unknown>;
  close(): Promise<void>;
}

/** The gateway of every lab machine. It answers for the internet. */
export const GATEWAY = "192.0.2.254";
const REACHABLE_WITHIN_MS = 60_000;

/**
 * Of the internet a server reaches only Debian's packages. `sudoer`: who signs in with the password instead of root. `onlyV6`: the
 * server has no IPv4, and its sshd listens on IPv6.
 */
export async function putOnline(
  network: LabNetwork,
  server: Pick<Namespace, "exec">,
  {
    password,
    sudoer,
    mirrors,
    onlyV6 = false,
  }: { password: string; sudoer?: string | undefined; mirrors: Mirrors; onlyV6?: boolean },
): Promise<Online> {
  const { internet } = network;
  const exec = (command: string, options?: { stdin: string }) => server.exec("bash", ["-c", command], options);
  const gateway = onlyV6 ? GATEWAY_V6 : GATEWAY;
  const inUrl = (address: string) => (onlyV6 ? `[${address}]` : address);
  const mirror = await startMirror(join(KEPT, "packages"), debianSources(mirrors));
  try {
    const records = join(network.folder, "names");
    await writeFile(records, `mirror.example ${gateway}\n`);
    const names = await startScript(internet, "./name-server.ts", [gateway, records]);
    await until("names are answered", () => names.output().includes("listening"));
    await relayFrom(network, internet, `${inUrl(gateway)}:80`, mirror.port);

    await exec(`echo nameserver ${gateway} > /etc/resolv.conf`);
    if (sudoer !== undefined) await exec(`useradd --create-home --shell /bin/bash --groups sudo ${sudoer}`);
    await exec("chpasswd", { stdin: `${sudoer ?? "root"}:${password}\n` });
    const lines = [
      `PermitRootLogin ${sudoer === undefined ? "yes" : "no"}`,
      ...(onlyV6 ? ["AddressFamily inet6"] : []),
    ];
    await exec("cat > /etc/ssh/sshd_config.d/lab.conf", { stdin: `${lines.join("\n")}\n` });
    const { port, close } = await relayTo(network, internet, `${inUrl(onlyV6 ? HOST_ADDRESS_V6 : HOST_ADDRESS)}:22`);
    const becomesReachable = () => until("sshd answers", () => greets(port), REACHABLE_WITHIN_MS);
    await becomesReachable();
    // Where it listens is only read at its start.
    await exec(`systemctl ${onlyV6 ? "restart" : "reload"} ssh`);
    if (onlyV6) await becomesReachable();
    const shown = await exec("ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub");
    return {
      port,
      fingerprint: shown.split(" ")[1] ?? "",
      becomesReachable,
      async close() {
        mirror.close();
        await close();
      },
    };
  } catch (error) {
    mirror.close();
    throw error;
  }
}

/** Whether sshd answers there: a bound port alone does not prove a working server. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    const answer = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(3_000, () => answer(false));
    socket.once("data", () => answer(true));
    socket.once("error", () => answer(false)).once("close", () => answer(false));
  });
}
