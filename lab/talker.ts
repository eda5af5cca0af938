import { createConnection, createServer, type Socket } from "node:net";

/*
 * One TCP conversation unlike HTTP's. Arguments: `serve PORT`, or a mode, an address and a port.
 * half: sends all and ends its side, then reads until the other has sent all
 * reset: is cut off in the middle
 * hold: stays open, and reports how it ends
 * flood: connects as often as a fourth argument says, and reports how many succeeded
 */
const [what = "", address = "", port = "", count = "1"] = process.argv.slice(2);
const tell = (text: string) => console.log(text);

function serve(at: number) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let said = "";
    socket.on("error", () => undefined);
    socket.on("data", (piece) => {
      said += piece;
      if (said === "reset\n") socket.resetAndDestroy();
      if (said === "hold\n") socket.write("held\n");
    });
    // Answers only after receiving everything.
    socket.on("end", () => socket.end(`heard ${said.length}\n`));
  });
  server.listen(at, "::", () => tell("listening"));
}

function talk() {
  const socket: Socket = createConnection({ host: address, port: Number(port), allowHalfOpen: true });
  let heard = "";
  socket.setEncoding("utf8");
  socket.on("error", (error: NodeJS.ErrnoException) => tell(`error ${error.code}`));
  socket.on("close", () => process.exit());
  socket.on("data", (piece) => {
    heard += piece;
    if (what === "hold") tell(heard.trim());
  });
  socket.on("end", () => {
    tell(what === "hold" ? "end" : heard.trim());
    socket.destroy();
  });
  socket.on("connect", () => {
    if (what === "half") socket.end("x".repeat(300_000));
    else socket.write(`${what}\n`);
  });
}

async function flood() {
  let reached = 0;
  const one = () =>
    new Promise<void>((resolve) => {
      const socket = createConnection({ host: address, port: Number(port) });
      socket.on("connect", () => {
        reached += 1;
        socket.write("hold\n");
      });
      socket.on("data", () => resolve()).on("error", () => resolve());
    });
  for (let done = 0; done < Number(count); done += 50) await Promise.all(Array.from({ length: 50 }, one));
  tell(`reached ${reached}`);
}

if (what === "serve") serve(Number(address));
else if (what === "flood") await flood();
else talk();
