import { createSocket } from "node:dgram";
import { watchFile } from "node:fs";
import { readFile } from "node:fs/promises";

/*
 * A DNS server for the lab (RFC 1035, 9460): answers A, AAAA and HTTPS with address hints from a file of `name address` lines, reread when it changes; other
 * names do not exist. Arguments: the address to listen on, the file.
 */
const [address = "127.0.0.1", file = ""] = process.argv.slice(2);
let records: [name: string, address: string][] = [];
const read = async () => {
  const text = await readFile(file, "utf8").catch(() => "");
  records = text.split("\n").flatMap((line) => {
    const [name, value] = line.trim().split(/\s+/);
    return name && value ? [[name, value]] : [];
  });
  console.log(`read ${records.length}`);
};
await read();
watchFile(file, { interval: 100 }, () => void read());

const TYPE_A = 1;
const TYPE_AAAA = 28;
const TYPE_HTTPS = 65;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

function bytesOf(text: string): Buffer {
  if (!text.includes(":")) return Buffer.from(text.split(".").map(Number));
  const [left = "", right = ""] = text.split("::");
  const groups = (part: string) => part.split(":").filter(Boolean);
  const gap = new Array<string>(8 - groups(left).length - groups(right).length).fill("0");
  const all = [...groups(left), ...(text.includes("::") ? gap : []), ...groups(right)];
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]));
}

const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
socket.on("message", (query, from) => {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = query.readUInt16BE(at + 1);
  const name = labels.join(".").toLowerCase();
  const known = records.filter((record) => record[0] === name);
  const answers = known
    .filter(([, value]) => type === TYPE_HTTPS || type === (value.includes(":") ? TYPE_AAAA : TYPE_A))
    .map(([, value]) => {
      const address = bytesOf(value);
      // Priority 1, the same name, one parameter: hints of this family.
      const hint = [0, 1, 0, 0, value.includes(":") ? 6 : 4, 0, address.length];
      const data = type === TYPE_HTTPS ? Buffer.concat([Buffer.from(hint), address]) : address;
      const head = Buffer.alloc(12);
      // A pointer to the question's name, the type, class IN, a minute to live.
      head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
      head.writeUInt16BE(type, 2);
      head.writeUInt16BE(1, 4);
      head.writeUInt32BE(60, 6);
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 | (known.length === 0 ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt32BE(0, 8);
  socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...answers]), from.port, from.address);
});
socket.bind(53, address, () => console.log("listening"));
