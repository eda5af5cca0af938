/** What the panel needs from a logger; pino's, as in the HTTP server. Never pass it a secret. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Receives the log, one line of JSON at a time. */
export interface LogTarget {
  write(line: string): void;
}
