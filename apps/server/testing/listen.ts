/** One server-sent event as a client reads it. */
export interface Heard {
  event: string;
  /** Parsed. */
  data: unknown;
  id: string | undefined;
}

/** A stream of the panel, for a test. */
export interface Listening {
  readonly status: number;
  /** The next event; `undefined` once the panel has ended the stream. Fails after 30 s of silence. */
  next(): Promise<Heard | undefined>;
  /** Disconnects, as a closed tab does. */
  leave(): void;
}

const PATIENCE_MS = 30_000;

export async function listen(
  url: string,
  { token, lastSeenId }: { token: string; lastSeenId?: string },
): Promise<Listening> {
  const leaving = new AbortController();
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: "text/event-stream",
      ...(lastSeenId === undefined ? {} : { "last-event-id": lastSeenId }),
    },
    signal: leaving.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const read = async (): Promise<Heard | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const heard = eventOf(text.slice(0, end));
        text = text.slice(end + 2);
        if (heard !== null) return heard;
      } else {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) return undefined;
        text += chunk.value;
      }
    }
  };
  return {
    status: response.status,
    async next() {
      let patience: NodeJS.Timeout | undefined;
      const impatient = new Promise<never>((_, reject) => {
        patience = setTimeout(() => reject(new Error("the stream said nothing")), PATIENCE_MS);
      });
      return Promise.race([read(), impatient]).finally(() => clearTimeout(patience));
    },
    leave: () => leaving.abort(),
  };
}

/** Null for a comment, or for a retry hint only. */
function eventOf(block: string): Heard | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (name !== "") fields.set(name, value);
  }
  const data = fields.get("data");
  if (data === undefined) return null;
  return {
    event: fields.get("event") ?? "message",
    data: JSON.parse(data) as unknown,
    id: fields.get("id") || undefined,
  };
}
