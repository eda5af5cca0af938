import { expect, test } from "vitest";
import { readAddressList } from "./address-list.ts";

test.each([
  ["1.1.1.1, 10.0.0.0/8 ,, 2001:db8::/32", ["1.1.1.1", "10.0.0.0/8", "2001:db8::/32"]],
  ["1.1.1.1\n8.8.8.8,\r\n", ["1.1.1.1", "8.8.8.8"]],
  [" , ", []],
  ["1.1.1.1; 8.8.8.8;9.9.9.9", ["1.1.1.1", "8.8.8.8", "9.9.9.9"]],
  ["https://example.com", ["https://example.com"]],
])("a list is parted by commas and line ends, and trimmed: %j", (text, items) => {
  expect(readAddressList(text)).toEqual({ items, hasComments: false });
});

test.each([
  [
    "# Telegram\n91.108.4.0/22\n91.108.8.0/22   # DC\n\n; old\n149.154.160.0/20\n2001:67c:4e8::/48\n#104.16.0.0/12\n",
    ["91.108.4.0/22", "91.108.8.0/22", "149.154.160.0/20", "2001:67c:4e8::/48"],
  ],
  ["// list\n1.1.1.1 // first\n8.8.8.8//second", ["1.1.1.1", "8.8.8.8"]],
  ["1.1.1.1 ; Cloudflare\n8.8.8.8; 9.9.9.9 # both", ["1.1.1.1", "8.8.8.8", "9.9.9.9"]],
  ["; 1.1.1.1, 8.8.8.8", []],
])("comments and blank lines are passed over: %j", (text, items) => {
  expect(readAddressList(text)).toEqual({ items, hasComments: true });
});
