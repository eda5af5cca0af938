import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./command.mjs";

/**
 * Writes each finished test as a line of JSON, `{ state, name }`, to the file TEST_RESULTS names: immediately, so an
 * interrupted run still has its count. An unreadable file and an error outside a test count as failed, and a failed line
 * says why. A finished file is a line too, with state "file" and its seconds.
 */
export default class CountReporter {
  /** @param {import("vitest/node").TestCase} test */
  onTestCaseResult(test) {
    const { state, errors } = test.result();
    note(state, `${title(test.module)} > ${test.fullName}`, whyOf(errors));
  }

  /** @param {import("vitest/node").TestSuite} suite */
  onTestSuiteResult(suite) {
    if (suite.errors().length > 0) note("failed", `${title(suite.module)} > ${suite.fullName}`, whyOf(suite.errors()));
  }

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    if (module.errors().length > 0) note("failed", title(module), whyOf(module.errors()));
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    const ms = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    note("file", title(module), { seconds: ms / 1000 });
  }

  /**
   * @param {readonly import("vitest/node").TestModule[]} _modules
   * @param {readonly import("vitest/node").SerializedError[]} errors
   */
  onTestRunEnd(_modules, errors) {
    for (const { message, stack } of errors)
      note("failed", `outside of a test: ${message}`, { why: beginningOf(stack ?? "") });
  }
}

/** @param {import("vitest/node").TestModule} module */
const title = (module) => `${module.project.name} ${relative(ROOT, module.moduleId)}`;

const WHY_LINES = 12;

/**
 * The first lines of the first error, with the difference if there is one. @param {readonly import("vitest/node").SerializedError[]
 * | undefined} errors
 */
function whyOf(errors) {
  const [error] = errors ?? [];
  if (!error) return {};
  return { why: beginningOf(`${error.message}\n${error.diff ?? ""}`) };
}

/** @param {string} text */
const beginningOf = (text) => stripVTControlCharacters(text).trim().split("\n").slice(0, WHY_LINES).join("\n");

/** @param {string} state @param {string} name @param {{ seconds?: number, why?: string }} [more] */
const note = (state, name, more) =>
  appendFileSync(String(process.env.TEST_RESULTS), `${JSON.stringify({ state, name, ...more })}\n`);
