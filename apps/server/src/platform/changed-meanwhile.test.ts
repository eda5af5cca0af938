import { expect, test } from "vitest";
import { changedMeanwhile } from "./changed-meanwhile.ts";

const now = { name: "b", port: 2, ips: ["1.1.1.1"], endpoint: null };

test.each([
  ["nothing was said of what was seen", { name: "c" }, undefined, []],
  ["it is as it was seen", { name: "c" }, { name: "b" }, []],
  ["it is otherwise", { name: "c" }, { name: "a" }, ["name"]],
  ["what is otherwise is not being changed", { name: "c" }, { name: "b", port: 1 }, []],
  ["null was seen and is", { endpoint: "x" }, { endpoint: null }, []],
  ["something was seen where null is", { endpoint: "x" }, { endpoint: "y" }, ["endpoint"]],
  ["lists are compared as texts", { ips: [] }, { ips: ["1.1.1.1"] }, []],
  ["another list", { ips: [] }, { ips: ["1.1.1.2"] }, ["ips"]],
] as const)("%s", (_, wish, expected, fields) => {
  expect(changedMeanwhile(now, wish, expected)).toEqual(fields);
});
