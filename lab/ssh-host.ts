import { readFileSync } from "node:fs";
import { makeHost } from "../apps/server/src/hosts/driver.ts";
import type { Generation, Host } from "../apps/server/src/hosts/host.ts";
import { makeAgentMachine } from "../apps/server/src/hosts/ssh/agent-machine.ts";
import type { AgentSession } from "../apps/server/src/hosts/ssh/agent-session.ts";
import { AGENT_PATH, keepConnection } from "../apps/server/src/hosts/ssh/connection.ts";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import type { Vps } from "./vps.ts";

/** Of a panel that no newer one replaces. */
export const GENERATION: Generation = {
  club: "6f1c2b6e-0f0a-4c39-9d6a-2f6d0a4f7b11",
  number: 1,
  token: "6f1c2b6e-0f0a-4c39-9d6a-2f6d0a4f7b11",
  since: 0,
};

const AGENT = new URL("../apps/server/src/hosts/ssh/agent.pl", import.meta.url);

/** The driver in this process, over SSH. */
export interface SshHost extends Host {
  /** The agent's requests since the last call of this. */
  asked(): string[];
  close(): void;
}

/** Installs on a server what set-up will install there. */
export async function prepareVps(vps: Vps): Promise<{ privateKey: string }> {
  const key = newSshKey();
  const install =
    "apt-get install --yes --quiet --no-install-recommends wireguard-tools wireguard-go nftables iproute2";
  await vps.exec(`apt-get update --quiet && DEBIAN_FRONTEND=noninteractive ${install}`, { timeoutMs: 240_000 });
  await vps.exec(`mkdir -p $(dirname ${AGENT_PATH}) && cat > ${AGENT_PATH} && chmod 755 ${AGENT_PATH}`, {
    stdin: readFileSync(AGENT, "utf8"),
  });
  await vps.exec("mkdir -pm 700 /root/.ssh && cat > /root/.ssh/authorized_keys", { stdin: `${key.publicKey}\n` });
  return { privateKey: key.privateKey };
}

export function hostOverSsh({ host, port, fingerprint: hostKey }: Vps, login: { privateKey: string }): SshHost {
  const connection = keepConnection(
    async () => ({ host, port, username: "root", login, hostKey, isPrepared: true, generation: GENERATION }),
    Date.now,
  );
  let asked: string[] = [];
  const session = async (): Promise<AgentSession> => {
    const mine = await connection.session();
    return {
      ...mine,
      get isOpen() {
        return mine.isOpen;
      },
      ask(word, fields, options) {
        asked.push(word === "run" ? [fields[0], ...fields.slice(5)].join(" ") : [word, fields[0]].join(" "));
        return mine.ask(word, fields, options);
      },
    };
  };
  return {
    ...makeHost(makeAgentMachine(session)),
    asked() {
      const all = asked;
      asked = [];
      return all;
    },
    close: connection.close,
  };
}
