// Lines of an order as they were ordered: of each combo its heading, with what the items of the combo cost.
const AMOUNTS = ["unit_price", "discount", "tax", "line_total"];

// Each line has the ids of those that it stands for as `ids`.
export function foldCombos(lines) {
  const headings = new Map();
  return lines.flatMap((line) => {
    const heading = line.combo ? headings.get(line.combo.id) : null;
    if (heading) {
      for (const name of AMOUNTS) heading[name] = (heading[name] ?? 0) + (line[name] ?? 0);
      heading.ids.push(line.id);
      return [];
    }
    const own = { ...line, ids: [line.id] };
    if (line.combo) headings.set(line.combo.id, own);
    return [own];
  });
}
