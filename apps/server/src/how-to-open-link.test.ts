import { expect, test } from "vitest";
import { howToOpenLink } from "./how-to-open-link.ts";

const HERE = { host: "127.0.0.1", port: 3001 };
const LOOPBACK = { publicUrl: null, host: "127.0.0.1" };
const lines = (environment: Record<string, string>, config = LOOPBACK) =>
  howToOpenLink(config, HERE, environment, "root").join("\n");

test("an operator who started the panel over SSH gets the exact command, with the account they signed in with", () => {
  expect(lines({ SSH_CONNECTION: "198.51.100.7 50000 192.0.2.1 22" })).toContain(
    "ssh -L 3001:127.0.0.1:3001 root@192.0.2.1\n",
  );
  expect(lines({ SSH_CONNECTION: "2001:db8::7 50000 2001:db8::1 2222", SUDO_USER: "olga" })).toContain(
    "ssh -L 3001:127.0.0.1:3001 -p 2222 olga@2001:db8::1\n",
  );
});

test.each<Record<string, string>>([
  {},
  { SSH_CONNECTION: "" },
  { SSH_CONNECTION: "a b c d" },
  { SSH_CONNECTION: "198.51.100.7 1 192.0.2.1;reboot 22" },
  { SSH_CONNECTION: "198.51.100.7 1 192.0.2.1 22$(reboot)" },
])("with %j the operator fills in the account and host", (environment) => {
  expect(lines(environment)).toContain("ssh -L 3001:127.0.0.1:3001 USER@THIS-MACHINE\n");
});

test("a name that is not a user's is not put into a command", () => {
  const environment = { SSH_CONNECTION: "198.51.100.7 1 192.0.2.1 22", SUDO_USER: "olga;reboot" };
  expect(lines(environment)).toContain(" root@192.0.2.1\n");
});

test("a link that works from everywhere needs no explanation", () => {
  const publicUrl = new URL("https://club.example");
  expect(howToOpenLink({ publicUrl, host: "127.0.0.1" }, HERE, {})).toEqual([]);
  expect(howToOpenLink({ publicUrl: null, host: "0.0.0.0" }, HERE, {})).toEqual([]);
});
