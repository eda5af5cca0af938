/** At most this many are checked automatically. */
const MOST_NAMED = 3;

/** Devices that a conversation names, the last named first. `said`: texts in the order in which they were written. */
export function namedDevices<Device extends { name: string }>(
  said: readonly string[],
  devices: readonly Device[],
): Device[] {
  const patterns = devices.map((device) => ({ device, pattern: whole(device.name) }));
  const named = new Set<Device>();
  for (const text of said.toReversed()) {
    for (const { device, pattern } of patterns) if (pattern.test(text)) named.add(device);
    if (named.size >= MOST_NAMED) break;
  }
  return [...named].slice(0, MOST_NAMED);
}

/** The name as a separate word: 'phone' is not in 'phone-2'. */
const whole = (name: string) =>
  new RegExp(`(?:^|[^\\p{L}\\p{N}_-])${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![\\p{L}\\p{N}_-])`, "iu");
