/** Served by the panel for this alone (apps/server/src/features/access/security-gate/asking-page.ts). */
const FRAME = "/api/security/frame";

export interface Outside {
  /** Resolves to true once it can ask; never if the panel provides no frame. */
  readonly ready: Promise<true>;
  /** What an address answers, or null; it may take for ever. */
  ask(address: string): Promise<unknown>;
  /** Ends whatever is being asked. */
  close(): void;
}

/**
 * Asks addresses outside from a frame that has no origin: they see where the visitor is, and nothing of the club whose page
 * is open. If the page asked by itself, the browser would tell them its address.
 */
export function openOutside(): Outside {
  const waiting: ((answer: unknown) => void)[] = [];
  const frame = document.createElement("iframe");
  let beReady: (ready: true) => void;
  const ready = new Promise<true>((resolve) => {
    beReady = resolve;
  });
  const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === null || source !== frame.contentWindow || origin !== "null") return;
    if (data === "ready") beReady(true);
    else if (isAnswer(data)) waiting[data.id]?.(data.answer);
  };
  addEventListener("message", hear);
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = FRAME;
  frame.hidden = true;
  document.body.append(frame);
  return {
    ready,
    ask: (address) =>
      new Promise((resolve) => {
        const id = waiting.push(resolve) - 1;
        // A document without an origin cannot be named here; what it is told is public anyway.
        frame.contentWindow?.postMessage({ id, address }, "*");
      }),
    close() {
      removeEventListener("message", hear);
      frame.remove();
    },
  };
}

const isAnswer = (data: unknown): data is { id: number; answer: unknown } =>
  typeof data === "object" && data !== null && "answer" in data && "id" in data && typeof data.id === "number";
