// Imported first by every script a person starts, so that an old Node answers with a sentence and not with a stack.
const OLDEST = { major: 20, minor: 19 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
  console.error(`Krug needs Node ${OLDEST.major}.${OLDEST.minor} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
