import { networksOf } from "../../../platform/addresses.ts";

/** Loopback, private, shared and link-local: RFC 1122, 1918, 6598, 3927, 4193, 4291. */
export const isLocal = networksOf([
  "0.0.0.0/8",
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "::/127",
  "fc00::/7",
  "fe80::/10",
]);
