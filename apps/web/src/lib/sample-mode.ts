import type { SampleWish } from "./sample-data.ts";

type SampleData = typeof import("./sample-data.ts");

let loading: Promise<SampleData> | undefined;
const load = () => {
  loading ??= import("./sample-data.ts");
  return loading;
};

/** Whether SAMPLE_DATA is on. The panel writes it into the page's head, since it is needed when the panel does not answer. */
const isOn = () => document.querySelector('meta[name="sample-data"]')?.getAttribute("content") === "on";

/**
 * Sample data instead of missing answers, for demonstrations (decisions, section 11). If off, none of it is fetched. If on, it is
 * prefetched, since a silent panel serves no files either.
 */
export const sampleMode = {
  isOn,
  prepare() {
    if (isOn()) void load();
  },
  /** Sample data for a missing answer; undefined if there is none: then the page says that the panel is silent. */
  async answer(key: string, wish: SampleWish): Promise<unknown> {
    if (!isOn()) return undefined;
    const { sampleAnswer } = await load();
    const answer = sampleAnswer(key, wish);
    if (answer !== undefined) console.warn(`${key} got no answer: sample data is shown`);
    return answer;
  },
};
