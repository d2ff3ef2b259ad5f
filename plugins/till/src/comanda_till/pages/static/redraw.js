// Draws what has changed, and leaves alone what has not: a tap is lost if its button is replaced under the finger.
export function redraw(place, children) {
  const drawn = place.cloneNode(false);
  drawn.append(...children);
  if (drawn.innerHTML !== place.innerHTML) place.replaceChildren(...drawn.childNodes);
}
