/*
 * A browser that translates a page puts elements of its own in place of texts (Chrome: two <font>, one in the other). React keeps the
 * texts that it made: it removes them from where they no longer are, which throws and takes the whole page away, and changes them where
 * nobody sees it. Here the two are brought together again (https://github.com/facebook/react/issues/11538).
 */

/** What stands in the page for a text that was taken out of it. */
const standIns = new WeakMap<Node, ChildNode>();

/** The node that stands in `parent` for `child`: itself, its stand-in, or what it was moved into. */
function inPlace(parent: Node, child: Node): ChildNode | null {
  for (let node: Node | null = standIns.get(child) ?? child; node; node = node.parentNode)
    if (node.parentNode === parent) return node as ChildNode;
  return null;
}

const changes = new MutationObserver((records) => {
  for (const { type, target, addedNodes, removedNodes } of records)
    if (type === "characterData") {
      // Its words are new: they show as they are until the browser translates them, too.
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

/** From now on the page keeps up with its translation. */
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
