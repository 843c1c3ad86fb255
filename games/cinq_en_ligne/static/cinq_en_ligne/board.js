// Names the move on the button, walks the board with the arrows, and takes the highest card that fits when a square comes first.
// Without it the same radios and the same button work.
(() => {
  "use strict";
  const $ = (selector) => document.querySelector(selector);
  const cards = () => [...document.querySelectorAll("input[name=card]")];
  const chosen = (name) => $(`input[name=${name}]:checked`);

  function name() {
    const go = $("#go"), card = chosen("card"), square = chosen("square");
    if (!go) return;
    const text = !card ? go.dataset.cardNone : square ? go.dataset.both : go.dataset.squareNone;
    go.textContent = text.replace("[card]", card?.value).replace("[square]", square?.value);
    go.disabled = !(card && square) || $("#live").getAttribute("aria-busy") === "true";
  }

  const fits = (card, square) => Number(card.value) <= Number(square.value);

  document.addEventListener("change", (event) => {
    const card = chosen("card"), square = chosen("square");
    if (event.target.name === "square" && !(card && fits(card, square))) {
      const best = cards().filter((each) => fits(each, square)).pop();
      if (best) best.checked = true;
    } else if (event.target.name === "card" && square && !fits(card, square)) square.checked = false;
    name();
  });

  // Arrows go to the next square in that direction that can be chosen, whatever lies between.
  const WIDTH = 10;
  const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -WIDTH, ArrowDown: WIDTH };
  document.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.target.name !== "square" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const squares = [...document.querySelectorAll("#squares > .sq")];
    const start = squares.indexOf(event.target.parentNode), row = Math.floor(start / WIDTH);
    for (let at = start + step; at >= 0 && at < squares.length; at += step) {
      if (Math.abs(step) === 1 && Math.floor(at / WIDTH) !== row) return;
      const box = squares[at].querySelector("input");
      if (!box) continue;
      box.focus();
      box.click();
      return;
    }
  }, true);

  document.addEventListener("click", (event) => {
    const label = event.target.closest?.("label[for^='q-']");
    if (label && document.documentElement.dataset.oneClick === "on") setTimeout(() => { if (!$("#go")?.disabled) $("#act").requestSubmit($("#go")); });
  });
  document.addEventListener("reset", () => setTimeout(name));
  document.addEventListener("table:painted", name);
  name();
})();
