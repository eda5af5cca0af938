import { describe, expect, test } from "vitest";
import type { DeviceType } from "./config-rules.ts";
import { countAddresses, fitsPhone, type RoutedService, servicesFor, whyServiceDisabled } from "./phone-limit.ts";

const service = (count: number, ...deviceTypes: ("all" | DeviceType)[]): RoutedService => ({
  deviceTypes: deviceTypes.length === 0 ? ["all"] : deviceTypes,
  ips: Array.from({ length: count }, (_, at) => `10.0.${at >> 8}.${at & 255}`),
});

describe("the phone limit", () => {
  test("counts entries as the services list them: a network as one, duplicates each time", () => {
    expect(countAddresses([])).toBe(0);
    expect(countAddresses([{ ips: ["10.0.0.0/8"] }, { ips: ["10.0.0.1", "10.0.0.1"] }])).toBe(3);
  });

  test("lets 120 addresses through and not 121", () => {
    expect(fitsPhone([service(100), service(20)])).toBe(true);
    expect(fitsPhone([service(100), service(21)])).toBe(false);
  });

  test.each<[string, number, number, DeviceType, string | null]>([
    ["a service that just fits stays open", 100, 20, "phone", null],
    ["a service that would exceed it is closed", 100, 21, "phone", "config.phone_limit"],
    ["a service that is too big by itself is closed from the start", 0, 121, "phone", "config.phone_limit"],
    ["computers have no limit", 100, 5000, "computer", null],
  ])("%s", (_, chosen, asked, deviceType, why) => {
    expect(whyServiceDisabled(service(asked), [service(chosen)], deviceType)).toBe(why);
  });

  test("chosen services stay enabled, so they can be removed again", () => {
    const big = service(200);
    expect(whyServiceDisabled(big, [big], "phone")).toBeNull();
  });
});

describe("services for a device", () => {
  const all = service(1, "all");
  const phone = service(1, "phone");
  const computer = service(1, "computer");
  const both = service(1, "phone", "computer");

  test("are the ones for all devices and for its kind, in order", () => {
    expect(servicesFor("phone", [computer, both, all, phone])).toEqual([both, all, phone]);
    expect(servicesFor("computer", [computer, both, all, phone])).toEqual([computer, both, all]);
  });

  test("are disabled if they are for the other kind", () => {
    expect(whyServiceDisabled(computer, [], "phone")).toBe("service.wrong_device");
    expect(whyServiceDisabled(phone, [], "computer")).toBe("service.wrong_device");
  });
});
