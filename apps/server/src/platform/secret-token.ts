import { hash, randomBytes } from "node:crypto";

/** 256 random bits, base64url: 43 characters. */
export const newToken = () => randomBytes(32).toString("base64url");

/** What the database stores instead of a token. A token has 256 random bits, so a plain SHA-256 reveals nothing. */
export const hashOfToken = (token: string) => hash("sha256", token, "base64url");
