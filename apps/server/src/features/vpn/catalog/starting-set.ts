/** What a new club starts with: all traffic, and resolvers that anyone may use. */
export const startingServices = [
  // A tunnel without IPv6 drops what ::/0 sends into it, which keeps IPv6 from bypassing the VPN.
  { name: "Весь трафик", ips: ["0.0.0.0/0", "::/0"] },
];

export const ALL_TRAFFIC = {
  device_types: JSON.stringify(["all"]),
  picture: "🌍",
  description: "Всё, что делает устройство, идёт через VPN",
  group_name: "everything",
  exit: "direct",
} as const;

// With IPv6, because through a server that has only IPv6 the others cannot be asked.
export const startingDns = [
  { name: "Cloudflare", ips: ["1.1.1.1", "1.0.0.1", "2606:4700:4700::1111", "2606:4700:4700::1001"] },
  { name: "Google", ips: ["8.8.8.8", "8.8.4.4", "2001:4860:4860::8888", "2001:4860:4860::8844"] },
  { name: "Quad9", ips: ["9.9.9.9", "149.112.112.112", "2620:fe::fe", "2620:fe::9"] },
  { name: "AdGuard", ips: ["94.140.14.14", "94.140.15.15", "2a10:50c0::ad1:ff", "2a10:50c0::ad2:ff"] },
];
