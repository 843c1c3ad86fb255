// 55: the exchange. Names the button by how many cards are ticked; without this script the form works all the same.
(() => {
  "use strict";
  const ticks = () => [...document.querySelectorAll("#live input[name=discard]")];
  function name() {
    const go = document.querySelector("#go[data-throw]");
    if (!go) return;
    go.dataset.ready ??= go.textContent;
    const missing = Number(go.dataset.throw) - ticks().filter((box) => box.checked).length;
    go.textContent = missing > 0 ? go.dataset.less : missing < 0 ? go.dataset.more : go.dataset.ready;
    go.disabled = missing !== 0;
  }
  document.addEventListener("change", (event) => { if (event.target.name === "discard") name(); });
  document.addEventListener("reset", () => setTimeout(name));
  document.addEventListener("table:painted", name);
  name();
})();
