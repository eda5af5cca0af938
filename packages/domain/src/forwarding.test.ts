import { describe, expect, test } from "vitest";
import { type ForwardingWatch, judgeForwarding, type Passing, type Suspect } from "./forwarding.ts";

const oracle: Suspect = { chain: "FORWARD", rule: "REJECT", ways: ["out", "back"], families: [4], isSure: true };
const unsure: Suspect = { ...oracle, rule: "geoip", isSure: false };

/** Counters of one check: pages opened and pages that got out, everything else zero. */
const pages = (begun: number, passed: number, more: Partial<Passing> = {}): Passing => ({
  way: "out",
  family: 4,
  kind: "web",
  begun,
  passed,
  ...more,
});
type Look = [counted: Passing[] | null, suspects: Suspect[]];
/** What is reported after each of these checks. */
const told = (...looks: Look[]) => {
  let watch: ForwardingWatch | null = null;
  return looks.map(([counted, suspects]) => {
    const judged: ReturnType<typeof judgeForwarding> = judgeForwarding(watch, counted, suspects);
    watch = judged.watch;
    return judged.verdict && [judged.verdict.state, ...judged.verdict.causes.map(({ rule }) => rule)];
  });
};

describe("whether a server passes on what members send", () => {
  test("an idle club proves nothing", () => {
    expect(told([[pages(0, 0)], []], [[pages(0, 0)], []])).toEqual([null, null]);
    expect(told([null, []])).toEqual([null]);
  });

  test("traffic that never passes is reported as refused, with the suspect named", () => {
    expect(told([[pages(0, 0)], [oracle]], [[pages(5, 0)], [oracle]])).toEqual([
      ["suspected", "REJECT"],
      ["refused", "REJECT"],
    ]);
  });

  test("without a suspect it takes much more: one phone may ask only for one closed address", () => {
    expect(told([[pages(0, 0)], []], [[pages(29, 0)], []], [[pages(30, 0)], []])).toEqual([null, null, ["refused"]]);
  });

  test("one that passes ends the report and resets the count", () => {
    expect(told([[pages(0, 0)], []], [[pages(40, 0)], []], [[pages(41, 1)], []], [[pages(60, 1)], []])).toEqual([
      null,
      ["refused"],
      null,
      null,
    ]);
  });

  test("a firewall that surely refuses is reported before anybody sends; an unreadable one is not", () => {
    expect(told([[pages(0, 0)], [oracle]])).toEqual([["suspected", "REJECT"]]);
    expect(told([[pages(0, 0)], [unsure]], [[pages(9, 0)], [unsure]])).toEqual([null, ["refused", "geoip"]]);
  });

  test("a firewall that let pages through was read wrongly, as long as it stays", () => {
    const [out, back] = [pages(0, 0), pages(0, 0, { way: "back" })];
    const passed = [pages(3, 3), pages(3, 3, { way: "back" })];
    expect(
      told([[out, back], [oracle]], [passed, [oracle]], [passed, [oracle]], [passed, []], [passed, [oracle]]),
    ).toEqual([["suspected", "REJECT"], null, null, null, ["suspected", "REJECT"]]);
  });

  test("pages that get out say nothing about answers that do not come", () => {
    const answers = (begun: number, passed: number) => pages(begun, passed, { way: "back" });
    expect(told([[pages(0, 0), answers(0, 0)], [oracle]], [[pages(9, 9), answers(9, 0)], [oracle]]).at(-1)).toEqual([
      "refused",
      "REJECT",
    ]);
  });

  test("failed name lookups count as refused too, unless pages open", () => {
    const names = (begun: number) => pages(begun, 0, { kind: "dns" });
    expect(told([[names(0)], [oracle]], [[names(9)], [oracle]]).at(-1)).toEqual(["refused", "REJECT"]);
    expect(told([[pages(0, 0), names(0)], []], [[pages(9, 9), names(90)], []])).toEqual([null, null]);
  });

  test("counts from before the first check matter only if nothing ever passed", () => {
    expect(told([[pages(400, 0)], []])).toEqual([["refused"]]);
    expect(told([[pages(400, 1)], [oracle]])).toEqual([["suspected", "REJECT"]]);
  });

  test("counters that restart at zero are not pages that came back", () => {
    expect(told([[pages(0, 0)], []], [[pages(100, 100)], []], [[pages(3, 0)], []])).toEqual([null, null, null]);
  });

  test("a firewall that was opened gets another chance", () => {
    expect(
      told([[pages(0, 0)], [oracle]], [[pages(90, 0)], [oracle]], [[pages(90, 0)], []], [[pages(110, 0)], []]),
    ).toEqual([["suspected", "REJECT"], ["refused", "REJECT"], null, null]);
  });
});
