// A field above a long list of options, which leaves those in sight that hold a text. It hides rows and
// does nothing else: what is chosen stays so and is told of, numbers stay, and nothing of it is sent.

import { announce, controls, isHidden, make, refresh, text } from "./dom.js";

/** With more options than these a list gets the field. */
const MANY = 20;

/** @param {HTMLElement} section */
export function addFilter(section) {
  const { options } = controls(section);
  const first = options[0]?.closest(".opt");
  if (!first || options.length <= MANY) return;
  const name = text("filter", { count: options.length });
  const look = { type: "search", dir: "auto", autocomplete: "off", enterkeyhint: "done" };
  const field = make("input", { ...look, "aria-label": name, placeholder: name });
  const told = make("span");
  const hides = make("span", { "data-hides": true });
  const below = make("p", { class: "filter-told" }, told, " ", hides);
  first.before(make("div", { class: "filter", "data-filter": true }, field, below));

  field.addEventListener("input", () => {
    const filter = field.value.trim();
    for (const input of options) {
      const row = input.closest(".opt");
      row?.toggleAttribute("hidden", !rowText(input).includes(filter.toLowerCase()));
    }
    const shown = options.filter((input) => !isHidden(input)).length;
    const values = { filter, shown, total: options.length };
    told.textContent = filter && text(shown > 0 ? "filter-status" : "filter-none", values);
    refresh(section);
    if (filter) announce(below.innerText, "filter");
  });
  field.addEventListener("keydown", (event) => {
    // What is typed here is no key of the card.
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape" && field.value) {
      field.value = "";
      field.dispatchEvent(new Event("input"));
    } else if (["Enter", "ArrowDown", "Escape"].includes(event.key)) {
      options.find((input) => !isHidden(input))?.focus();
    } else return;
    event.preventDefault();
  });
}

/** What of an option is searched, as in the terminal. @param {HTMLInputElement} input */
function rowText(input) {
  const description = input.closest(".opt")?.querySelector(".d")?.textContent ?? "";
  return `${input.dataset.label ?? ""}\n${description}`.toLowerCase();
}
