import { readEndpointHost } from "@krug/wireguard/endpoint";
import type { Server } from "./queries.ts";
import type { ServersWords } from "./words.ts";

/** A machine's SSH credentials as form fields. */
export interface CredentialFields {
  host: string;
  port: string;
  username: string;
  password: string;
}

/** What cannot be sent yet. The form checks the password itself. */
export function credentialProblems(
  { host, port, username }: CredentialFields,
  { add: words }: ServersWords,
): Partial<Record<keyof CredentialFields, string>> {
  return {
    ...(readEndpointHost(host.trim()) !== null ? {} : { host: host.trim() === "" ? words.needed : words.hostWrong }),
    ...(isPort(port) ? {} : { port: words.portWrong }),
    ...(/^[a-z_][a-z0-9_-]{0,31}$/.test(username.trim())
      ? {}
      : { username: username.trim() === "" ? words.needed : words.usernameWrong }),
  };
}

/** The machine's login, as the panel shows it: the password is never shown. */
export const loginOf = ({ host, port, username }: NonNullable<Server["credentials"]>) => ({ host, port, username });

export const credentialsOf = ({ host, port, username, password }: CredentialFields) => ({
  host: host.trim(),
  port: Number(port),
  username: username.trim(),
  ...(password === "" ? {} : { password }),
});

const isPort = (text: string) => /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535;
