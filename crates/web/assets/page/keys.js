// What a person's clicks, typing and keys do in the card. Single keys work only while the focus is in
// the card and in no field of text, and can be switched off; nothing acts on another request.

import {
  announce,
  ask,
  chooseAll,
  chose,
  controls,
  isHidden,
  make,
  one,
  recall,
  remember,
  readState,
  text,
  wrote,
} from "./dom.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./pager.js").Pager} Pager */

/** What was on its way when the page or the next question came answers nothing: so long nothing is
 * pressed first, and so long at most. A page that opened by itself after another was sent is new for longer. */
const QUIET = { keys: 300, question: 350, page: 600, most: 3_000 };
/** Where only a finger types, there is no Shift-Enter: Enter breaks the line there. */
const TOUCH = "(hover: none) and (pointer: coarse)";

/**
 * @param {HTMLFormElement} form
 * @param {Draft} draft
 * @param {Pager | null} pager none where a plan is shown: its buttons are posted
 */
export function listen(form, draft, pager) {
  const guard = new Guard(form);
  if (/[?&](sent|dismissed)=/.test(location.search)) guard.raise(QUIET.page);
  if (pager) pager.onwent = () => guard.raise(QUIET.question);
  draft.ontook = () => guard.raise(QUIET.question);

  /** The key that is held down; "" where a pointer (or a screen reader) acts. */
  let held = "";
  form.addEventListener("keydown", ({ key }) => (held = key), true);
  form.addEventListener("keyup", () => setTimeout(() => (held = "")), true);
  form.addEventListener("pointerdown", () => (held = ""), true);

  form.addEventListener("click", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement)) return;
    const section = sectionOf(input);
    if (!section) return;
    if (input.matches("[data-skip]")) return draft.edited(section);
    if (!input.name.endsWith(".chosen")) return;
    if (!chose(section, input)) {
      event.preventDefault();
      controls(section).field?.focus();
      return;
    }
    draft.edited(section);
    tellCount(section);
    const { isMulti, own } = controls(section);
    const onPurpose = ["", " ", "Enter"].includes(held);
    if (!isMulti && input !== own && onPurpose) pager?.chosen(held !== "");
  });

  form.addEventListener("input", ({ target }) => {
    const section = target instanceof HTMLTextAreaElement ? sectionOf(target) : null;
    if (!section) return;
    const before = readState(section).customOn;
    if (!wrote(section)) return;
    draft.edited(section);
    if (readState(section).customOn !== before) tellCount(section);
  });

  // Safari ends a composition before it tells of the Enter that ended it.
  let hasJustEnded = false;
  form.addEventListener("compositionstart", ({ target }) => mark(target, true));
  form.addEventListener("compositionend", ({ target }) => {
    mark(target, false);
    hasJustEnded = true;
    setTimeout(() => (hasJustEnded = false));
  });

  form.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || hasJustEnded)
      return;
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    const isField = target instanceof HTMLTextAreaElement;
    const isDone =
      event.key === "Enter"
        ? enter(event, target)
        : isField
          ? inField(event, target)
          : inList(event, target);
    if (isDone) event.preventDefault();
  });

  /** @param {KeyboardEvent} event @param {HTMLElement} target */
  function enter(event, target) {
    const isWanted = event.ctrlKey || event.metaKey;
    if (event.shiftKey || event.altKey) return false;
    if (target instanceof HTMLTextAreaElement) {
      if (target.readOnly || (!isWanted && matchMedia(TOUCH).matches)) return false;
    } else if (!isWanted && target.closest("button, a, summary, [role=switch]")) {
      return false;
    }
    if (event.repeat || guard.isUp()) return true;
    if (!pager) {
      if (target instanceof HTMLTextAreaElement)
        one(form, "button[value=reply]", HTMLButtonElement)?.click();
      return target instanceof HTMLTextAreaElement;
    }
    const isChoice =
      target instanceof HTMLInputElement && target.type === "radio" && target.value !== "custom";
    if (isChoice && !target.checked && !isWanted) {
      // What this very Enter chose is not sent by it.
      target.click();
      if (!pager.goesOnByItself && pager.isBatch) void pager.goOn("control");
      return true;
    }
    void pager.goOn("control");
    return true;
  }

  /** @param {KeyboardEvent} event @param {HTMLTextAreaElement} field */
  function inField(event, field) {
    if (hasModifier(event)) return false;
    if (event.key === "Escape") {
      const section = sectionOf(field);
      if (!section) return false;
      (controls(section).own ?? one(section, ".title", HTMLElement))?.focus();
      if (document.activeElement === field) field.blur();
      return true;
    }
    const isAtStart = field.selectionStart === 0 && field.selectionEnd === 0;
    return event.key === "ArrowUp" && isAtStart && step(field, -1);
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} target */
  function inList(event, target) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !/[?/]/.test(key)))
      return false;
    const isRadio = target instanceof HTMLInputElement && target.type === "radio";
    if (key === "ArrowDown" && target.matches("input")) return !isRadio && step(target, 1);
    if (key === "ArrowUp" && target.matches("input")) return !isRadio && step(target, -1);
    if (!pager || recall("keys") === "off" || event.repeat || guard.isUp()) return false;
    if (form.hasAttribute("data-collapsed")) return key === "z" && press("collapse");
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const isFree = !isRadio && target.matches(".title, input, button");
      return isFree && press(key === "ArrowLeft" ? "previous" : "next-question");
    }
    const section = pager.section;
    if (/^[1-9]$/.test(key)) return section !== undefined && choose(section, Number(key) - 1);
    switch (key) {
      case "c":
        section && controls(section).field?.focus();
        return true;
      case "a":
      case "n":
        if (section && controls(section).isMulti) {
          chooseAll(section, key === "a");
          draft.edited(section);
          tellCount(section);
        }
        return true;
      case "s":
        if (section) pager.skip();
        return true;
      case "/":
        return section !== undefined && filterOf(section);
      case "z":
        return press("collapse");
      case "?":
        void help();
        return true;
      default:
        return false;
    }
  }

  /** @param {string} name */
  function press(name) {
    one(form, `[data-act=${name}]`, HTMLElement)?.click();
    return true;
  }

  const look = {
    type: "button",
    class: "icon-button",
    "data-act": "help",
    "aria-label": text("help"),
  };
  const helper = make("button", { ...look, onclick: () => void help() }, "?");
  if (pager) one(form, ".card-foot .sp", HTMLElement)?.before(helper);
}

/** To the field that filters the options, where there is one. @param {HTMLElement} section */
function filterOf(section) {
  const field = one(section, "[data-filter] input", HTMLInputElement);
  field?.focus();
  return field !== null;
}

/** Chooses an option by its number, and stays. @param {HTMLElement} section @param {number} place */
function choose(section, place) {
  const option = controls(section).options[place];
  if (option && isHidden(option)) {
    announce(text("hidden-by-filter", { number: place + 1 }));
    return true;
  }
  option?.click();
  option?.focus();
  return option !== undefined;
}

/** From row to row, the own text being the last: never out of the question. @param {HTMLElement} from @param {1 | -1} by */
function step(from, by) {
  const rows = rowsOf(from);
  const next = rows[rows.indexOf(from) + by];
  next?.focus();
  return next !== undefined;
}

/** The rows of a question, its field in place of the box beside it. @param {HTMLElement} within @returns {HTMLElement[]} */
function rowsOf(within) {
  const section = sectionOf(within);
  if (!section) return [];
  const { options, own, field } = controls(section);
  const isOwn = within === own;
  const shown = options.filter((it) => !isHidden(it));
  return [...shown, ...(isOwn && own ? [own] : []), ...(field ? [field] : [])];
}

/** How many are ticked, for who does not see it. @param {HTMLElement} section */
function tellCount(section) {
  const count = one(section, "[data-count]", HTMLElement);
  if (count?.textContent) announce(count.textContent, "count");
}

/** @param {Element} within */
function sectionOf(within) {
  const section = within.closest("section[data-question]");
  return section instanceof HTMLElement ? section : null;
}

/** @param {EventTarget | null} field @param {boolean} isComposing */
function mark(field, isComposing) {
  if (field instanceof HTMLElement) field.toggleAttribute("data-composing", isComposing);
}

/** @param {KeyboardEvent} event */
const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;

/** @param {() => void} then */
function afterPaint(then) {
  requestAnimationFrame(() => setTimeout(then));
}

/** Keeps presses from answering what came under them. */
class Guard {
  #form;
  #quiet = 0;
  /** When what is to be seen came, and when something was pressed last. */
  #cameAt = 0;
  #pressedAt = 0;
  /** @type {number | undefined} */
  #timer;

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.#form = form;
    const press = (/** @type {Event} */ event) => {
      if (!this.#isRaised()) return;
      this.#pressedAt = performance.now();
      this.#lowerLater();
      const { target } = event;
      const isAnswer = target instanceof Element && target.closest("button, input, label");
      if (event.type !== "click" || !isAnswer) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    form.addEventListener("click", press, true);
    document.addEventListener("keydown", press, true);
    form.toggleAttribute("data-waking", true);
    afterPaint(() => setTimeout(() => form.toggleAttribute("data-waking", false), QUIET.keys));
  }

  /** From now on presses count only after this many milliseconds of silence. @param {number} quiet */
  raise(quiet) {
    this.#quiet = quiet;
    this.#form.toggleAttribute("data-new", true);
    afterPaint(() => {
      this.#cameAt = this.#pressedAt = performance.now();
      this.#lowerLater();
    });
  }

  /** Whether a key counts not yet. */
  isUp() {
    return this.#isRaised() || this.#form.hasAttribute("data-waking");
  }

  #isRaised() {
    return this.#quiet > 0;
  }

  #lowerLater() {
    clearTimeout(this.#timer);
    const at = Math.min(this.#pressedAt + this.#quiet, this.#cameAt + QUIET.most);
    this.#timer = setTimeout(() => {
      this.#quiet = 0;
      this.#form.toggleAttribute("data-new", false);
    }, at - performance.now());
  }
}

/** What `?` shows; the words are `help-…`. */
const HELP = {
  digits: "1–9",
  arrows: "↑ ↓",
  enter: "Enter",
  newline: "Shift+Enter",
  custom: "c",
  all: "a n",
  skip: "s",
  filter: "/",
  questions: "← →",
  collapse: "z",
  escape: "Esc",
};

/** The keys, and a switch for those of one letter. */
async function help() {
  const rows = Object.entries(HELP).flatMap(([name, keys]) => [
    make("dt", {}, ...keys.split(" ").map((key) => make("kbd", {}, key))),
    make("dd", {}, text(`help-${name}`)),
  ]);
  const input = make("input", { type: "checkbox", role: "switch" });
  input.checked = recall("keys") !== "off";
  input.addEventListener("change", () => remember("keys", input.checked ? "on" : "off"));
  const single = make("label", { class: "switch" }, input, text("help-single"));
  await ask(
    text("help"),
    [make("dl", { class: "keys" }, ...rows), single],
    [{ name: "", label: text("close") }],
  );
}
