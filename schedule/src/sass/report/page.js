"use strict";
{
  const panel = document.getElementById("panel");
  const visible = (element) => element.getClientRects().length > 0;
  const mark = (name) => (name ? document.getElementById("i" + name) : null);
  let here = null;

  const clear = () => {
    for (const found of document.querySelectorAll(".here,.producer")) found.classList.remove("here", "producer");
  };
  // Shows an instruction, the same one in the other versions, and what it needs.
  const show = (found) => {
    clear();
    const name = found.id.slice(1);
    const twins = document.querySelectorAll('[data-t="' + (found.dataset.t || name) + '"]');
    for (const same of [found, mark(found.dataset.t), ...twins]) if (same) same.classList.add("here");
    for (const other of found.dataset.p.split(" ")) mark(other)?.classList.add("producer");
    panel.textContent = found.querySelector("title").textContent;
  };
  const go = (found) => {
    if (!found) return;
    here = found;
    found.focus({ preventScroll: true });
    found.querySelector(".f-issue").scrollIntoView({ block: "nearest", inline: "nearest" });
    show(found);
  };
  const marks = (drawing) => [...drawing.querySelectorAll(".mark")];
  const step = (by) => {
    if (here && visible(here)) {
      const all = marks(here.ownerSVGElement);
      go(all[all.indexOf(here) + by]);
    } else {
      block(1);
    }
  };
  const block = (by) => {
    const drawings = [...document.querySelectorAll("svg.block")].filter(visible);
    const at = here ? drawings.indexOf(here.ownerSVGElement) : -1;
    const next = drawings[at < 0 ? 0 : at + by];
    if (next) {
      next.closest("section").scrollIntoView({ block: "nearest" });
      go(marks(next)[0]);
    }
  };
  const version = () => {
    const choices = [...document.querySelectorAll("input[name=version]")];
    if (!choices.length) return;
    const at = choices.findIndex((choice) => choice.checked);
    const next = choices[(at + 1) % choices.length];
    next.checked = true;
    if (!here || visible(here)) return;
    // The same instruction of a version that is shown.
    const name = here.dataset.t || here.id.slice(1);
    const same = [mark(name), ...document.querySelectorAll('[data-t="' + name + '"]')];
    go(same.find((found) => found && visible(found)));
  };
  const keys = {
    ArrowLeft: () => step(-1),
    ArrowUp: () => step(-1),
    ArrowRight: () => step(1),
    ArrowDown: () => step(1),
    "[": () => block(-1),
    "]": () => block(1),
    b: version,
    p: () => here && go(mark(here.dataset.p.split(" ").pop())),
  };

  document.addEventListener("keydown", (event) => {
    const inChoice = event.target.matches("input") && event.key.startsWith("Arrow");
    if (event.ctrlKey || event.metaKey || event.altKey || inChoice || !keys[event.key]) return;
    if (event.key.startsWith("Arrow") && !event.target.closest("svg.block") && !here) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("svg.block") && here?.ownerSVGElement !== event.target) {
      here = event.target.querySelector(".mark");
      if (here) show(here);
    }
  });
  document.addEventListener("click", (event) => go(event.target.closest(".mark")));
  document.addEventListener("mouseover", (event) => {
    const found = event.target.closest(".mark");
    if (found) show(found);
  });
  document.addEventListener("mouseout", (event) => {
    if (event.target.closest(".mark") && here) show(here);
  });
}
