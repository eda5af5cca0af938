import { expect, test } from "vitest";
import { changedMeanwhile } from "./changed-meanwhile.ts";

const now = { name: "b", port: 2, ips: ["1.1.1.1"], endpoint: null };

test.each([
  ["the editor did not say what they saw", { name: "c" }, undefined, []],
  ["the value is what the editor saw", { name: "c" }, { name: "b" }, []],
  ["the value differs", { name: "c" }, { name: "a" }, ["name"]],
  ["a field that differs is not being changed", { name: "c" }, { name: "b", port: 1 }, []],
  ["null was seen and is still there", { endpoint: "x" }, { endpoint: null }, []],
  ["a value was seen where null is now", { endpoint: "x" }, { endpoint: "y" }, ["endpoint"]],
  ["lists are compared as texts", { ips: [] }, { ips: ["1.1.1.1"] }, []],
  ["another list", { ips: [] }, { ips: ["1.1.1.2"] }, ["ips"]],
] as const)("%s", (_, input, expected, fields) => {
  expect(changedMeanwhile(now, input, expected)).toEqual(fields);
});
