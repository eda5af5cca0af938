import { isAscii } from "node:buffer";

/**
 * UTF-8 as text. Node stores a long text outside of V8's heap if it is read as Latin-1, so that reading 10,000 peers every minute
 * leaves no garbage there.
 */
export const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
