import { isIP } from "node:net";
import { userInfo } from "node:os";
import { type Config, isLoopback } from "./config.ts";

const USER = /^[a-z_][\w.-]{0,31}$/i;

/**
 * How to open a link to the panel's loopback if the browser is on another machine. An operator who started the panel over SSH
 * gets the exact command.
 */
export function howToOpenLink(
  config: Pick<Config, "publicUrl" | "host">,
  { host, port }: { host: string; port: number },
  environment: Readonly<Record<string, string | undefined>>,
  login = userInfo().username,
): string[] {
  if (config.publicUrl !== null || !isLoopback(config.host)) return [];
  const forward = `ssh -L ${port}:${host}:${port}`;
  const [, , here = "", sshPort = ""] = environment.SSH_CONNECTION?.split(" ") ?? [];
  const isOverSsh = isIP(here) !== 0 && /^\d{1,5}$/.test(sshPort);
  const user = [environment.SUDO_USER, login].find((name) => name !== undefined && USER.test(name));
  const place =
    isOverSsh && user !== undefined
      ? `${sshPort === "22" ? "" : `-p ${sshPort} `}${user}@${here}`
      : "USER@THIS-MACHINE";
  return [
    `Браузер на другом компьютере? Выполните там / your browser is on another computer? Run there: ${forward} ${place}`,
    "и откройте там эту же ссылку / and open the same link there",
  ];
}
