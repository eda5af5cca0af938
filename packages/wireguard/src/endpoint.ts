import { canonicalAddress } from "./addresses.ts";
import { isIP } from "./ip.ts";

/** `host` is a DNS name or an address, IPv6 without brackets; `port` is UDP, 1-65535. */
export interface Endpoint {
  host: string;
  port: number;
}

// RFC 1123 names. With an all-digit last label, resolvers would read '10.1' or '999.1.1.1' as an address.
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const NAME_MAX = 253;

/** Is this a DNS name or an address an endpoint can have, without port or brackets? */
export function isEndpointHost(host: string): boolean {
  if (isIP(host) !== 0) return true;
  if (host.length > NAME_MAX) return false;
  const labels = host.split(".");
  return labels.every((label) => LABEL.test(label)) && !/^(?:[0-9]+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? "");
}

/** A host as a person writes it, in its stored form: IPv6 canonical; null if an endpoint cannot have it. */
export function readEndpointHost(host: string): string | null {
  return canonicalAddress(host) ?? (isEndpointHost(host) ? host : null);
}

/** 'vpn.example.org:51820', '192.0.2.1:51820', '[2001:db8::1]:51820'; null for anything else. */
export function parseEndpoint(text: string): Endpoint | null {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:]+)):([1-9][0-9]{0,4})$/.exec(text);
  if (match === null) return null;
  const [, bracketed, plain, port] = match;
  if (bracketed !== undefined && isIP(bracketed) !== 6) return null;
  const endpoint = { host: bracketed ?? plain ?? "", port: Number(port) };
  return isEndpoint(endpoint) ? endpoint : null;
}

/** An endpoint as text, IPv6 in brackets. Throws RangeError if host or port is invalid. */
export function formatEndpoint(endpoint: Endpoint): string {
  if (!isEndpoint(endpoint)) throw new RangeError("Not an endpoint");
  const { host, port } = endpoint;
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

export function isEndpoint({ host, port }: Endpoint): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65535 && isEndpointHost(host);
}
