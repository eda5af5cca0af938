/** What a part of the panel needs of a logger; pino's, as the HTTP server has it. Never hand it a secret. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
