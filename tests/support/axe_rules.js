// What tests add to axe, on the page that they judge.
{
  const CONTRAST = "color-contrast";
  const INVISIBLE = "rgba(0, 0, 0, 0),none,1,none,normal,static,auto,none,none";
  const FOLDED = "details:not([open]) > :not(summary:first-of-type)";
  const IN_TEXT = /[\p{L}\p{N}]/u;

  /* Return a function that describes what all ancestors of an element and itself are or look like, by `describeOne`. */
  const describeChain = (describeOne) => {
    const chains = new Map([[null, ""]]);
    return function describe(element) {
      if (!chains.has(element)) {
        const outer = describe(element.parentElement);
        const own = describeOne(element);
        chains.set(element, own === "" ? outer : `${outer}/${own}`);
      }
      return chains.get(element);
    };
  };

  const describeBackground = (element) => {
    const style = getComputedStyle(element);
    const own = [
      style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode, style.position,
      style.zIndex, style.clipPath, style.backdropFilter,
    ].join();
    return own === INVISIBLE ? "" : own;
  };

  const describeText = (element, texts) => {
    const style = getComputedStyle(element);
    const text = texts.map((node) => node.data).join("").trim();
    const box = element.getBoundingClientRect();
    return [
      style.color, style.webkitTextFillColor, style.fontSize, style.fontWeight, style.textShadow, style.textIndent,
      style.overflow, element.checkVisibility({visibilityProperty: true}), box.width > 0 && box.height > 0,
      box.right > 0 && box.left < innerWidth, text.length > 1, IN_TEXT.test(text),
      element.matches("input, select, textarea, button, option, label"),
      element.closest("[aria-hidden=true], [aria-disabled=true], :disabled, [inert]") !== null,
    ].join("|");
  };

  /* Yield the elements of the page but those in closed details, which the browser would have to lay out for us. */
  function* listElementsOutsideFolds() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT, (element) =>
      element.matches(FOLDED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    while (walker.nextNode()) yield walker.currentNode;
  }

  /* A link in a text passes if either of two checks does. That of colours has the whole page measured, so it is left out
     for a link that passes by its style. */
  const {"link-in-text-block": byColour, "link-in-text-block-style": byStyle} = axe._audit.checks;
  const judgeColour = byColour.evaluate;
  byColour.evaluate = function judge(...subject) {
    return byStyle.evaluate.apply(this, subject) === true || judgeColour.apply(this, subject);
  };

  let groups;

  /* Find the visible texts that look alike, and list the kinds of elements among them.
     Of a kind are those on pages with the same style sheets that also have the same names and classes all the way up. */
  axe.listKindsOfText = (exclude) => {
    const behind = describeChain(describeBackground);
    const place = describeChain((element) => `${element.localName}.${element.className.baseVal ?? element.className}`);
    const sheets = [...document.styleSheets].map((sheet) => sheet.href && new URL(sheet.href).pathname).sort();
    const look = [sheets, matchMedia("(prefers-color-scheme: dark)").matches].join();
    groups = new Map();
    for (const element of listElementsOutsideFolds()) {
      const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== "");
      if (!texts.length && !element.matches("input, select, textarea")) continue;
      // The rule is of no text that is not painted, of which some pages have thousands.
      if (!element.checkVisibility({visibilityProperty: true})) continue;
      if (exclude.length && element.closest(exclude)) continue;
      const appearance = `${behind(element)}|${describeText(element, texts)}`;
      if (!groups.has(appearance)) groups.set(appearance, new Map());
      const kind = `${look}|${appearance}|${place(element)}`;
      const kinds = groups.get(appearance);
      if (kinds.has(kind)) kinds.get(kind)[1] = element;
      else kinds.set(kind, [element, element]);
    }
    return [...groups.values()].flatMap((kinds) => [...kinds.keys()]);
  };

  /* Mark the first and the last of those texts that look alike and are of one of some kinds.
     Returns the marked elements and their kinds, by what looks alike. */
  const markTexts = (wanted) => {
    const isWanted = new Set(wanted);
    const marked = [...groups.values()].map((kinds) => {
      const open = [...kinds].filter(([kind]) => isWanted.has(kind));
      return {kinds: open.map(([kind]) => kind), elements: [open[0]?.[1][0], open.at(-1)?.[1][1]]};
    }).filter(({kinds}) => kinds.length);
    document.querySelectorAll("[data-judged]").forEach((each) => each.removeAttribute("data-judged"));
    for (const element of marked.flatMap(({elements}) => elements)) element.toggleAttribute("data-judged", true);
    return marked;
  };

  const listElements = (results) => new Set(
    results.filter(({id}) => id === CONTRAST).flatMap(({nodes}) => nodes.map(({element}) => element))
  );

  /* Judge a page by all rules that can have one of some impacts, none of which stands for no rule, and the contrast of
     texts of `unknown` kinds: at once, for axe measures the whole page each time that it is run.
     Returns the violations, and the kinds that passed: of which none is wrong, nor all uncertain. */
  axe.judge = async (exclude, impacts, unknown) => {
    const marked = markTexts(unknown);
    if (!impacts.length && !marked.length) return {violations: [], passed: []};
    axe.configure({rules: [{id: CONTRAST, selector: "[data-judged]"}]});
    const others = axe._audit.rules.filter(({impact}) => impact && !impacts.includes(impact));
    const rules = Object.fromEntries(others.map(({id}) => [id, {enabled: false}]));
    const options = impacts.length ? {rules: {...rules, [CONTRAST]: {enabled: marked.length > 0}}} : {runOnly: [CONTRAST]};
    const {violations, incomplete} = await axe.run(
      {exclude: exclude ? [[exclude]] : []},
      {...options, resultTypes: ["violations", "incomplete"], elementRef: true},
    );
    const wrong = listElements(violations), uncertain = listElements(incomplete);
    for (const {nodes} of violations) for (const node of nodes) delete node.element;
    const hasPassed = ({elements}) =>
      !elements.some((each) => wrong.has(each)) && !elements.every((each) => uncertain.has(each));
    return {violations, passed: marked.filter(hasPassed).flatMap(({kinds}) => kinds)};
  };
}
// Playwright would call the function that was assigned last.
null;
