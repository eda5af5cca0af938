import type { SampleWish } from "./sample-data.ts";

type SampleData = typeof import("./sample-data.ts");

let loading: Promise<SampleData> | undefined;
const load = () => {
  loading ??= import("./sample-data.ts");
  return loading;
};

/** Whether SAMPLE_DATA is on: the panel says so in the page's head, since it is asked when the panel says nothing. */
const isOn = () => document.querySelector('meta[name="sample-data"]')?.getAttribute("content") === "on";

/**
 * Sample data in place of answers that do not come, for demonstrations (decisions, section 11). Off, nothing of it is fetched;
 * on, it is fetched ahead: a panel that is silent gives out no files either.
 */
export const sampleMode = {
  isOn,
  prepare() {
    if (isOn()) void load();
  },
  /** Sample data in place of a missing answer; undefined if there is none: then the page says that the panel is silent. */
  async answer(key: string, wish: SampleWish): Promise<unknown> {
    if (!isOn()) return undefined;
    const { sampleAnswer } = await load();
    const answer = sampleAnswer(key, wish);
    if (answer !== undefined) console.warn(`${key} got no answer: sample data is shown`);
    return answer;
  },
};
