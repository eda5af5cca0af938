import { doWork, type Work } from "./list-works.ts";

/* The other end of use-in-worker.ts. */
self.onmessage = ({ data }: MessageEvent<Work>) => self.postMessage(doWork(data));
