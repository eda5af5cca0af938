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

const COUNT = `
const [server, name] = process.argv.slice(1);
const socket = require("node:dgram").createSocket("udp4");
const labels = name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
// Recursion desired, one question: type 65, class IN.
const head = Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const query = Buffer.concat([head, ...labels, Buffer.from([0, 0, 65, 0, 1])]);
socket.on("message", (answer) => { console.log(answer.readUInt16BE(6)); socket.close(); });
socket.send(query, 53, server);
setTimeout(() => process.exit(1), 1500).unref();
`;

/** How many HTTPS records (RFC 9460) it answers; null if nothing. */
export async function countHttps(at: Pick<Namespace, "attempt">, server: string, name: string): Promise<number | null> {
  const { stdout } = await at.attempt(process.execPath, ["-e", COUNT, server, name]);
  return stdout === "" ? null : Number(stdout);
}
