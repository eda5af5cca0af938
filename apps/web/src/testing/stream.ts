import { act } from "@testing-library/react";

/** Stands for the browser's own: a test says what the panel sends. */
export class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    Stream.all.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  tell(event: string, data: unknown) {
    act(() => void this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) })));
  }
  opens() {
    this.onopen?.();
  }
  breaks(refusedByPanel: boolean) {
    this.readyState = refusedByPanel ? Stream.CLOSED : 0;
    this.onerror?.();
  }
}
