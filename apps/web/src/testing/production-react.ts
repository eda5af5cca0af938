import { createRequire } from "node:module";
import { setImmediate as soon } from "node:timers";

/*
 * Screen tests run the build of React that members run, which takes half the time of the development build. It lacks two things:
 * the entry of compiled JSX, and `act`, which draws all that an event changed before the test goes on.
 */

/** As React's own packages call it. */
const INTERNALS = "__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE";
/** React's number for changes that are drawn before the event's turn ends, such as those by a press. */
const AT_ONCE = 2;

const load = createRequire(import.meta.url);
const { NODE_ENV } = process.env;
process.env.NODE_ENV = "production";
const react = load("react");
const reactDom = load("react-dom");
const compiled = load("react/jsx-runtime");
const compiledInDevelopment = load("react/jsx-dev-runtime");
load("react-dom/client");
process.env.NODE_ENV = NODE_ENV;

compiledInDevelopment.jsxDEV = (type: unknown, props: unknown, key: unknown, areChildrenFixed: boolean) =>
  (areChildrenFixed ? compiled.jsxs : compiled.jsx)(type, props, key);

let acts = 0;

function drawn<Result>(work?: () => Result): Result {
  acts++;
  try {
    const result = reactDom.flushSync(work);
    reactDom.flushSync();
    return result;
  } finally {
    acts--;
  }
}

// Each file of a process comes here, but React and the library around it stay loaded, with the first file's `act`.
if (!("act" in react)) {
  let priority: number = reactDom[INTERNALS].p;
  // Otherwise what an effect changes would be drawn in a later turn.
  Object.defineProperty(reactDom[INTERNALS], "p", {
    get: () => (acts > 0 ? AT_ONCE : priority),
    set: (now: number) => {
      priority = now;
    },
  });

  react.act = (work: () => unknown) => {
    const result = drawn(work);
    return {
      // biome-ignore lint/suspicious/noThenProperty: the development build's answers only those who wait for it too
      async then(resolve: (result: unknown) => void, reject: (error: unknown) => void) {
        try {
          const answer = await result;
          await new Promise((given) => soon(given));
          drawn();
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      },
    };
  };
}
