/*
 * A browser that translates a page replaces texts with its own elements (Chrome: two nested <font>). React still holds its own text
 * nodes: removing one from its former parent throws and takes the whole page down, and changing one is invisible. This module
 * reconciles the two (https://github.com/facebook/react/issues/11538).
 */

/** What replaced a text that was taken out of the page. */
const standIns = new WeakMap<Node, ChildNode>();

/** The node in `parent` that represents `child`: itself, its stand-in, or what it was moved into. */
function inPlace(parent: Node, child: Node): ChildNode | null {
  for (let node: Node | null = standIns.get(child) ?? child; node; node = node.parentNode)
    if (node.parentNode === parent) return node as ChildNode;
  return null;
}

const changes = new MutationObserver((records) => {
  for (const { type, target, addedNodes, removedNodes } of records)
    if (type === "characterData") {
      // The text is new: it shows untranslated until the browser translates it, too.
      standIns.get(target)?.replaceWith(target);
      standIns.delete(target);
    } else if (removedNodes.length === 1 && addedNodes.length === 1) take(removedNodes[0], addedNodes[0]);
});

function take(text: Node | undefined, element: Node | undefined): void {
  if (!(text instanceof Text) || !(element instanceof HTMLElement) || element.localName !== "font") return;
  standIns.set(text, element);
  changes.observe(text, { characterData: true });
}

const { removeChild, insertBefore } = Node.prototype;

/** Starts to follow the page's translation. */
export function keepUp(): void {
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    inPlace(this, child)?.remove();
    return child;
  };
  Node.prototype.insertBefore = function <Added extends Node>(this: Node, added: Added, before: Node | null): Added {
    const place = before === null || before.parentNode === this ? before : inPlace(this, before);
    return insertBefore.call(this, added, place) as Added;
  };
  changes.observe(document.body, { childList: true, subtree: true });
}
