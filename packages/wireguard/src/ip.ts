/**
 * Like isIP of node:net, and in browsers too: 4, 6, or 0 if it is not an address. Addresses with a zone ('%eth0') are not
 * accepted.
 */
export function isIP(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Four decimal numbers without leading zeros. */
export function isIPv4(text: string): boolean {
  return V4.test(text);
}

/** RFC 4291, section 2.2. */
export function isIPv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const [head, tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (head === undefined) return false;
  const groups = [...head, ...(tail ?? [])];
  const dotted = groups.at(-1)?.includes(".") ? groups.pop() : undefined;
  // An IPv4 at the end stands for two groups; '1.2.3.4::' ends with none.
  if (dotted !== undefined && (!isIPv4(dotted) || (tail !== undefined && tail.length === 0))) return false;
  const count = groups.length + (dotted === undefined ? 0 : 2);
  const isWhole = tail === undefined ? count === 8 : count <= 7;
  return isWhole && groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group));
}
