import type { PresharedKey, PrivateKey, PublicKey } from "./keys.ts";

declare function todo(...x: unknown[]): never;
/** What a member's wg-quick file says. */
export interface ClientConfig {
  /** Null when the panel does not have it: then no PrivateKey line is written, nor a placeholder. */
  privateKey: PrivateKey | null;
  /** With prefix, e.g. ["10.8.0.7/32"]. */
  addresses: string[];
  /** Bare addresses of resolvers. */
  dns: string[];
  /** Bytes, null for the client's default. */
  mtu: number | null;
  peer: {
    publicKey: PublicKey;
    presharedKey: PresharedKey | null;
    /** CIDRs. */
    allowedIps: string[];
    endpoint: Endpoint;
    /** Seconds, null when off. */
    persistentKeepalive: number | null;
  };
}
/** `host` is a name or an address, IPv6 without brackets. */
export interface Endpoint {
  host: string;
  port: number;
}
export class ConfigTextError extends Error {
  /** 1-based; null where the value was refused at writing. */
  readonly line: number | null;
  constructor(message: string, line: number | null) {
    super(message);
    this.name = "ConfigTextError";
    this.line = line;
  }
}
export function writeConfig(config: ClientConfig): string {
  return todo(config);
}
export function parseConfig(text: string): ClientConfig {
  return todo(text);
}
/** 'vpn.example.org:51820', '192.0.2.1:51820', '[2001:db8::1]:51820'; null for anything else. */
export function parseEndpoint(text: string): Endpoint | null {
  return todo(text);
}
export function formatEndpoint(endpoint: Endpoint): string {
  return todo(endpoint);
}
/** The minimal AllowedIPs for these services and resolvers (decisions, section 6). */
export function allowedIpsFor(serviceIps: readonly string[], dnsIps: readonly string[]): string[] {
  return todo(serviceIps, dnsIps);
}
