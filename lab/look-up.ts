import type { Namespace } from "./namespace.ts";

const SCRIPT = `
const [server, name] = process.argv.slice(1);
const { Resolver } = require("node:dns").promises;
const resolver = new Resolver({ timeout: 400, tries: 3 });
resolver.setServers([server.includes(":") ? "[" + server + "]" : server]);
const all = () => Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
all().then((found) => console.log(JSON.stringify(found.flatMap(({ value = [] }) => value))));
`;

/** A name's addresses, IPv4 first, as this server answers a program there over UDP; none if it does not answer. */
export async function lookUp(at: Pick<Namespace, "attempt">, server: string, name: string): Promise<string[]> {
  const { stdout } = await at.attempt(process.execPath, ["-e", SCRIPT, server, name]);
  return JSON.parse(stdout || "[]");
}
