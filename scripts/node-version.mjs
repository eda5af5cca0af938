// Imported first by every script a person starts, so an old Node prints a sentence instead of a stack trace.
const OLDEST = { major: 20, minor: 19 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
  console.error(`Krug needs Node ${OLDEST.major}.${OLDEST.minor} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
