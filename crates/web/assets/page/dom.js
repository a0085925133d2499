// The elements of a page, for all modules: the words, finding and making, telling screen readers,
// asking in a dialog; and what the controls of a question say. What they mean is the core's.

/** @type {Record<string, string>} */
const words = JSON.parse(document.body.dataset.texts ?? "{}");

/**
 * A text of the host's catalogue, in the language of the page.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function text(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (found, name) => `${values[name] ?? found}`);
}

/**
 * The first element that matches, if it is one of this kind.
 * @template {Element} T
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T | null}
 */
export function one(within, selector, kind) {
  const found = within.querySelector(selector);
  return found instanceof kind ? found : null;
}

/**
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export function all(within, selector) {
  return [...within.querySelectorAll(selector)].filter((found) => found instanceof HTMLElement);
}

/**
 * A new element. Texts become text, never markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | boolean | (() => void)>} [attributes] `onclick` takes a function
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/**
 * @param {string} label
 * @param {string} name what `data-act` says
 * @param {() => void} onclick
 * @param {string} [look]
 */
export function button(label, name, onclick, look = "") {
  return make(
    "button",
    { type: "button", class: `button ${look}`, "data-act": name, onclick },
    label,
  );
}

/** Unicode White_Space, as the host sees it: `\s` is not quite the same. */
const BLANK = /^\p{White_Space}*$/u;

/** @param {string} written */
export function isBlank(written) {
  return BLANK.test(written);
}

/** @type {Map<string, string>} */
const toTell = new Map();

/**
 * Tells screen readers, politely. What is told within a moment is told together, and the newest of
 * one subject stands for all of it.
 * @param {string} words
 * @param {string} [subject]
 */
export function announce(words, subject = words) {
  if (toTell.size === 0) {
    setTimeout(() => {
      const live = document.getElementById("live");
      if (live) live.textContent = [...toTell.values()].join(" ");
      toTell.clear();
    }, 200);
  }
  toTell.set(subject, words);
}

/**
 * @typedef {object} Choice
 * @property {string} name what the dialog returns
 * @property {string} label
 * @property {string} [look] class of the button
 */

/**
 * Asks in a dialog over the page. No button is focused at first, so that an Enter still held down
 * answers nothing; Esc changes nothing and returns "".
 * @param {string} title
 * @param {Node[]} content
 * @param {Choice[]} choices
 * @returns {Promise<string>}
 */
export function ask(title, content, choices) {
  const heading = make("h2", { id: "prompt-title", tabindex: "-1", autofocus: true }, title);
  const actions = choices.map(({ name, label, look }) =>
    button(label, name, () => dialog.close(name), look),
  );
  const dialog = make(
    "dialog",
    { class: "prompt", "aria-labelledby": "prompt-title" },
    heading,
    ...content,
    make("div", { class: "prompt-actions" }, ...actions),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

/** Names what this page remembers where the browser's storage is full or forbidden. @type {Map<string, string>} */
const unstored = new Map();

/** What a person wrote is remembered under this: others may sign in in the same browser. */
export const PERSON = document.body.dataset.person ?? "";

/**
 * What this browser remembers; what this page does where it may not.
 * @param {string} key
 */
export function recall(key) {
  try {
    return localStorage.getItem(`askwell.${key}`) ?? unstored.get(key) ?? null;
  } catch {
    return unstored.get(key) ?? null;
  }
}

/**
 * Whether it outlives the page.
 * @param {string} key
 * @param {string | null} value null forgets it
 */
export function remember(key, value) {
  unstored.delete(key);
  try {
    if (value === null) localStorage.removeItem(`askwell.${key}`);
    else localStorage.setItem(`askwell.${key}`, value);
    return true;
  } catch {
    if (value !== null) unstored.set(key, value);
    return false;
  }
}

/**
 * The keys that begin so, without the prefix of the storage.
 * @param {string} start
 */
export function remembered(start) {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(`askwell.${start}`));
    return keys.map((key) => key.slice("askwell.".length));
  } catch {
    return [];
  }
}

/**
 * What is entered in one question: state, never a toggle.
 * @typedef {{id: string, chosen: string[], custom: string, customOn: boolean, skipped: boolean}} State
 */

/** The text that each field held when it was last looked at. @type {WeakMap<Element, string>} */
const seen = new WeakMap();

/** @param {HTMLElement} element @param {string} name */
const verbatim = (element, name) => {
  const json = element.dataset[`${name}Json`];
  return json === undefined
    ? (element.dataset[name] ?? "")
    : /** @type {string} */ (JSON.parse(json));
};

/**
 * The controls of a question.
 * @param {HTMLElement} section
 */
export function controls(section) {
  const found = known.get(section) ?? findControls(section);
  known.set(section, found);
  return found;
}

/** @type {WeakMap<HTMLElement, ReturnType<typeof findControls>>} */
const known = new WeakMap();

/** @param {HTMLElement} section */
function findControls(section) {
  const inputs = all(section, "input[name$='.chosen']:not([type=hidden])").filter(
    (it) => it instanceof HTMLInputElement,
  );
  const field = one(section, "textarea[name$='.text']", HTMLTextAreaElement);
  // What HTML has altered on its way.
  if (field?.dataset.textJson) field.defaultValue = verbatim(field, "text");
  return {
    options: inputs.filter((input) => input.value !== "custom"),
    /** The radio or checkbox of the own text; none where only text can answer. */
    own: inputs.find((input) => input.value === "custom"),
    field,
    skip: one(section, "input[data-skip]", HTMLInputElement),
    isMulti: section.dataset.kind === "multi",
  };
}

/**
 * What is entered in a question, or what was as the host served it. Where a text overrides a
 * choice, the choice stands in `data-chosen`: it counts again when the text is emptied.
 * @param {HTMLElement} section
 * @returns {State}
 */
export function readState(section, asServed = false) {
  const { options, own, field, skip } = controls(section);
  const isOn = (/** @type {HTMLInputElement} */ it) => (asServed ? it.defaultChecked : it.checked);
  const custom = wellFormed((asServed ? field?.defaultValue : field?.value) ?? "");
  const chosen = options.filter(isOn);
  const isOverridden = own !== undefined && isOn(own) && chosen.length === 0;
  const under = isOverridden ? options[chosenBefore(section)] : undefined;
  const labels = (under ? [under] : chosen).map((input) => verbatim(input, "label"));
  return {
    id: verbatim(section, "question"),
    chosen: section.dataset.given ? JSON.parse(section.dataset.given) : labels,
    custom,
    customOn: !isBlank(custom) && (own === undefined || isOn(own)),
    skipped: skip !== null && isOn(skip),
  };
}

/** Half of a character is none: it could be neither saved nor sent. @param {string} written */
function wellFormed(written) {
  return written.replace(/\p{Surrogate}/gu, "\u{FFFD}");
}

/** @param {HTMLElement} section */
function chosenBefore(section) {
  const { isMulti } = controls(section);
  return isMulti || !section.dataset.chosen ? -1 : Number(section.dataset.chosen);
}

/**
 * Shows a state in a question. Neither focus nor caret move where the text is the same.
 * @param {HTMLElement} section
 * @param {State} state
 */
export function applyState(section, state) {
  const { options, own, field, skip, isMulti } = controls(section);
  const places = options.flatMap((input, place) =>
    state.chosen.includes(verbatim(input, "label")) ? [place] : [],
  );
  options.forEach((input, place) => {
    input.checked = places.includes(place) && (isMulti || !state.customOn);
  });
  if (own) own.checked = state.customOn;
  if (field && field.value !== state.custom) field.value = state.custom;
  if (field) seen.set(field, field.value);
  if (skip) skip.checked = state.skipped;
  section.dataset.chosen = places.join(" ");
  // A plan shows no options, and keeps what was chosen of them.
  if (section.dataset.given) section.dataset.given = JSON.stringify(state.chosen);
  refresh(section);
}

/**
 * An option, or the row of the own text, was chosen or given up. False where nothing is written in
 * that row yet: it leads to the field and changes no choice.
 * @param {HTMLElement} section
 * @param {HTMLInputElement} input
 */
export function chose(section, input) {
  const { options, own, field, skip } = controls(section);
  if (input === own && field && isBlank(field.value)) return false;
  const places = options.flatMap((it, place) => (it.checked ? [place] : []));
  if (input !== own) section.dataset.chosen = places.join(" ");
  if (skip) skip.checked = false;
  return true;
}

/**
 * Something was written in the field. False where the text is as it was. A change of the text
 * switches it on; a text that is emptied again no longer overrides the choice.
 * @param {HTMLElement} section
 */
export function wrote(section) {
  const { options, own, field, skip, isMulti } = controls(section);
  if (!field || field.value === (seen.get(field) ?? field.defaultValue)) return false;
  seen.set(field, field.value);
  const isOn = !isBlank(field.value);
  if (skip) skip.checked = false;
  if (own) own.checked = isOn;
  const before = isOn || isMulti ? undefined : options[chosenBefore(section)];
  if (before) before.checked = true;
  return true;
}

/** @param {HTMLElement} section @param {boolean} skipped */
export function setSkipped(section, skipped) {
  const { skip } = controls(section);
  if (skip) skip.checked = skipped;
}

/** Makes a kept text part of the answer. @param {HTMLElement} section */
export function sendKept(section) {
  const { own } = controls(section);
  if (own) own.checked = true;
  setSkipped(section, false);
}

/** Whether the filter hides an option. @param {Element} input */
export const isHidden = (input) => input.closest(".opt[hidden]") !== null;

/** Ticks every option that the filter shows, or none of them; the text is left alone. @param {HTMLElement} section @param {boolean} chosen */
export function chooseAll(section, chosen) {
  for (const input of controls(section).options) if (!isHidden(input)) input.checked = chosen;
  setSkipped(section, false);
}

/** Whether submitting may send it. @param {State} state */
export const isFinished = (state) => state.skipped || state.customOn || state.chosen.length > 0;

/** Whether it holds a text that would not be sent. @param {State} state */
export const keepsText = (state) => !isBlank(state.custom) && (state.skipped || !state.customOn);

/**
 * What the controls say, for the host to check.
 * @param {State} state
 * @param {boolean} isMulti
 */
export function answerOf({ id, chosen, custom, customOn, skipped }, isMulti) {
  if (skipped) return { id, selected: [] };
  const selected = customOn && !isMulti ? [] : chosen;
  return customOn ? { id, selected, custom } : { id, selected };
}

/**
 * Shows what follows from the state of a question: kept text, the skip, how many are chosen, the
 * height of the field.
 * @param {HTMLElement} section
 */
export function refresh(section) {
  const { options, own, field } = controls(section);
  const state = readState(section);
  const keeps = keepsText(state);
  section.toggleAttribute("data-is-skipped", state.skipped);
  own?.closest(".opt")?.toggleAttribute("data-keeps", keeps);
  const note = one(section, "[data-kept]", HTMLElement);
  if (note) {
    // Hidden it is still the description of the options, so it says nothing then.
    note.hidden = !keeps && !state.skipped;
    const words = text(state.skipped ? "kept-skipped" : "kept");
    note.textContent = note.hidden ? "" : words;
  }
  const count = one(section, "[data-count]", HTMLElement);
  if (count) {
    const chosen = state.skipped ? 0 : state.chosen.length;
    const isText = state.customOn && !state.skipped;
    const words = isText ? (chosen > 0 ? "with-your-text" : "your-text") : "selected";
    count.textContent = text(words, { count: chosen });
  }
  const hides = one(section, "[data-hides]", HTMLElement);
  if (hides) {
    const hidden = options.filter((input) => input.checked && isHidden(input)).length;
    hides.textContent = hidden > 0 ? text("filter-hides", { count: hidden }) : "";
  }
  if (field && !CSS.supports("field-sizing", "content")) {
    field.style.blockSize = "auto";
    field.style.blockSize = `${field.scrollHeight}px`;
  }
}
