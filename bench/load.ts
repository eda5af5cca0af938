import { connect } from "node:net";

/** What is asked. `tag`: of an answer that the caller has already, so it is answered 304. */
export interface Asked {
  port: number;
  path: string;
  token: string;
  tag?: string | null;
}

export interface Load {
  /** Answers per second. */
  perSecond: number;
  /** How long each answer took, ms. */
  took: number[];
}

/** Sends requests without pause over `connections` at once. All answers must have the same length. */
export async function load(
  { port, path, token, tag = null }: Asked,
  { connections = 8, forMs = 3_000 } = {},
): Promise<Load> {
  const condition = tag === null ? "" : `if-none-match: ${tag}\r\n`;
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nx-background: 1\r\n${condition}\r\n`,
  );
  // Raw sockets and a byte count: an HTTP client would cost as much as the server.
  const length = await lengthOfAnswer(port, request, tag === null ? "200" : "304");
  const took: number[] = [];
  const began = performance.now();
  const endsAt = began + forMs;
  await Promise.all(
    Array.from({ length: connections }, () => {
      return new Promise<void>((resolve, reject) => {
        let received = 0;
        let sentAt = 0;
        const send = () => {
          sentAt = performance.now();
          socket.write(request);
        };
        const socket = connect(port, "127.0.0.1", send);
        socket.setNoDelay(true);
        socket.on("error", reject);
        socket.on("data", (chunk) => {
          received += chunk.length;
          if (received < length) return;
          if (received > length) return void reject(new Error(`${path}: an answer of another length`));
          received = 0;
          const now = performance.now();
          took.push(now - sentAt);
          if (now < endsAt) send();
          else {
            socket.destroy();
            resolve();
          }
        });
      });
    }),
  );
  return { perSecond: (took.length * 1000) / (performance.now() - began), took };
}

function lengthOfAnswer(port: number, request: Buffer, status: "200" | "304"): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.setEncoding("latin1").on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
      const head = text.indexOf("\r\n\r\n");
      const body = status === "304" ? 0 : Number(/^content-length: (\d+)/im.exec(text)?.[1]);
      if (head < 0 || text.length < head + 4 + body) return;
      socket.destroy();
      if (text.startsWith(`HTTP/1.1 ${status} `)) resolve(text.length);
      else reject(new Error(text.slice(0, 200)));
    });
  });
}
