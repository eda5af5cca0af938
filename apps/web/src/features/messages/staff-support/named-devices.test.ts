import { expect, test } from "vitest";
import { namedDevices } from "./named-devices.ts";

const devices = ["phone", "phone-2", "pixel_vera", "laptop", "tv"].map((name) => ({ name }));
const named = (...said: string[]) => namedDevices(said, devices).map(({ name }) => name);

test.each([
  ["Не работает phone-2 (Телефон).", ["phone-2"]],
  ["PHONE, и всё", ["phone"]],
  ["pixel_vera: тихо", ["pixel_vera"]],
  ["phone_3, телефон2, xtv, tvset", []],
  ["", []],
])("%s names %j", (text, names) => expect(named(text)).toEqual(names));

test("the last named come first, at most three", () => {
  expect(named("tv и laptop", "phone-2", "pixel_vera")).toEqual(["pixel_vera", "phone-2", "laptop"]);
  expect(named("laptop", "tv", "laptop")).toEqual(["laptop", "tv"]);
});
