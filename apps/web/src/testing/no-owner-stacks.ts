// React's development build notes for each element where it was created, which takes an eighth of a screen test's time and
// shows only in its developer tools. React has no switch for it.

// React looks for this while it loads.
Reflect.deleteProperty(console, "createTask");

const REACT_INTERNALS = "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE";
const { [REACT_INTERNALS]: internals } = Object(await import("react"));
// Above a limit React notes nothing, and it counts from 0 again every second.
Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => Number.POSITIVE_INFINITY, set: () => {} });

export {};
