/** The panel serves it only for this (apps/server/src/features/access/security-gate/asking-page.ts). */
const FRAME = "/api/security/frame";

export interface Outside {
  /** Resolves to true once it can ask; never if the panel provides no frame. */
  readonly ready: Promise<true>;
  /** An address's answer, or null. It may never settle. */
  ask(address: string): Promise<unknown>;
  /** Aborts all requests. */
  close(): void;
}

/**
 * Asks outside addresses from a frame without an origin. They see the visitor's location, but not which club's page is open. If the
 * page asked directly, the browser would send them its address.
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
        // A document without an origin cannot be named here. The message is public anyway.
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
