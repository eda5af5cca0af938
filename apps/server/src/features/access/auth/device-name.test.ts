import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";

const MOZILLA = "Mozilla/5.0";

test.each([
  [
    `${MOZILLA} (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Mobile Safari/537.36`,
    "Chrome, Android",
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/19.0 Mobile/15E Safari/604.1`,
    "Safari, iPhone",
  ],
  [
    `${MOZILLA} (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) CriOS/143.0 Mobile/15E Safari/604.1`,
    "Chrome, iPad",
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36 Edg/143.0`,
    "Edge, Windows",
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 YaBrowser/25.10 Safari/537.36`,
    "Yandex Browser, Windows",
  ],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:146.0) Gecko/20100101 Firefox/146.0`, "Firefox, macOS"],
  [`${MOZILLA} (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0`, "Firefox, Linux"],
  ["curl/8.11.1", "curl"],
  ["<script>alert(1)</script>", null],
  ["", null],
  [null, null],
])("a device is named in a few words: %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test("a device's name is short and ignores what else a client puts in its User-Agent", () => {
  expect(deviceName("x".repeat(5_000))).toBe("x".repeat(60));
  expect(deviceName("agent\u0000\u202eevil")).toBe("agent");
});
