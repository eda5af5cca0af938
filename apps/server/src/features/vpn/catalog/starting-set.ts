/** What a new club starts with: all traffic, and resolvers that anyone may use. */
export const startingServices = [
  // A tunnel without IPv6 swallows what ::/0 sends into it, which is what keeps IPv6 from going past the VPN.
  { name: "Весь трафик", ips: ["0.0.0.0/0", "::/0"] },
];

export const startingDns = [
  { name: "Cloudflare", ips: ["1.1.1.1", "1.0.0.1"] },
  { name: "Google", ips: ["8.8.8.8", "8.8.4.4"] },
  { name: "Quad9", ips: ["9.9.9.9", "149.112.112.112"] },
  { name: "AdGuard", ips: ["94.140.14.14", "94.140.15.15"] },
];
