// One question at a time: where the person is, going on and back, the review, and handing over.
//
// Invariants: nothing is sent but by the person's press of the primary button, nor while a question is
// neither answered nor skipped; no text that was written is left behind in silence.

import {
  PERSON,
  all,
  answerOf,
  ask,
  controls,
  isFinished,
  isHidden,
  keepsText,
  make,
  one,
  readState,
  recall,
  remember,
  sendKept,
  setSkipped,
  text,
} from "./dom.js";
import { call, Unreachable } from "./live.js";

/** @typedef {import("./dom.js").State} State */
/** @typedef {import("./draft.js").Draft} Draft */

/** How long a choice is seen before the page goes on, and the most questions that get a dot each. */
const SEEN = 140;
const DOTS = 12;

export class Pager {
  #form;
  #draft;
  /** @type {HTMLElement[]} */
  #sections;
  #review;
  #request;
  /** The question that is shown; their number for the review. */
  #at = 0;
  #isSending = false;
  #goesOn;
  /** @type {number | undefined} */
  #soon;

  /** It was answered or put aside here. @type {(how: "sent" | "dismissed") => void} */
  ondone = () => {};
  /** It went on to another question by itself. */
  onwent = () => {};
  /** What was sent may be there or not. */
  onfailed = () => {};
  /** It had ended when something was sent. */
  onended = () => {};

  /** @param {HTMLFormElement} form @param {Draft} draft */
  constructor(form, draft) {
    this.#form = form;
    this.#draft = draft;
    this.#request = form.dataset.request ?? "";
    this.#goesOn = (recall("auto-next") ?? form.dataset.autoNext) !== "off";
    this.#sections = all(form, "section.question");
    this.#review =
      one(form, "#review", HTMLElement) ?? make("section", { id: "review", class: "review" });
    const act = (/** @type {string} */ name, /** @type {() => void} */ does) => {
      const control = this.#act(name);
      control?.addEventListener("click", (event) => {
        event.preventDefault();
        does();
      });
      if (control) control.hidden = false;
    };
    act("previous", () => this.show(this.#at - 1, "title"));
    act("next-question", () => this.show(this.#at + 1, "title"));
    act("skip", () => this.skip());
    act("primary", () => void this.goOn("title"));
    act("dismiss", () => void this.dismiss());
    form.addEventListener("submit", (event) => {
      // Only what no script takes over is posted.
      const sender = event.submitter;
      if (sender instanceof HTMLButtonElement && sender.value !== "submit") return;
      event.preventDefault();
      void this.goOn("title");
    });
    for (const section of this.#sections) this.#addNotes(section);
    addEventListener("hashchange", () => this.show(this.#linked(), "title"));
    const wrong = this.#sections.findIndex((it) =>
      it.querySelector(".question-error:not([hidden])"),
    );
    const open = this.#draft.states().findIndex((state) => !isFinished(state));
    const places = [this.#linked(), wrong, history.state?.at ?? -1, open, 0];
    const at = places.find((place) => place >= 0) ?? 0;
    const isThere = at < this.#sections.length || this.#hasReview();
    for (const title of all(form, ".title")) title.tabIndex = -1;
    this.show(isThere ? at : 0, "stay");
  }

  /** The page stands as it is to be seen: whoever came here is in the card, also by keys. */
  arrive() {
    if (document.activeElement === document.body) this.#focus("title");
  }

  /** The question that is shown; none in the review. */
  get section() {
    return this.#sections[this.#at];
  }

  /** Whether an answer is on its way. */
  get isSending() {
    return this.#isSending;
  }

  get isBatch() {
    return this.#sections.length > 1;
  }

  get isReview() {
    return this.#at === this.#sections.length;
  }

  /** Shows a question, or the review. @param {number} at @param {"title" | "control" | "stay"} focus where the focus goes */
  show(at, focus) {
    clearTimeout(this.#soon);
    if (
      at < 0 ||
      at > this.#sections.length ||
      (at === this.#sections.length && !this.#hasReview())
    )
      return;
    const isNew = at !== this.#at;
    this.#at = at;
    history.replaceState({ at }, "");
    this.#sections.forEach((section, place) => (section.hidden = place !== at));
    this.#review.hidden = !this.isReview;
    const context = one(this.#form, "[data-context]", HTMLElement);
    if (context) context.hidden = at !== 0;
    this.changed();
    if (isNew) one(this.#form, ".card-body", HTMLElement)?.scrollTo(0, 0);
    if (focus !== "stay") this.#focus(focus);
  }

  /** Something was entered in a question. @param {HTMLElement} section */
  edited(section) {
    const place = this.#sections.indexOf(section);
    if (isFinished(readState(section))) this.#err(place, "");
    this.changed();
  }

  /** Shows what depends on what is entered and where the person is. */
  changed() {
    clearTimeout(this.#soon);
    if (this.isReview) this.#fillReview();
    const total = this.#sections.length;
    const states = this.#draft.states();
    const section = this.section;
    const state = states[this.#at];
    const isBatch = this.#hasReview();
    this.#toggle("previous", total > 1 || this.isReview, this.#at > 0);
    this.#toggle(
      "next-question",
      total > 1,
      this.#at < total - 1 || (this.#at === total - 1 && isBatch),
    );
    this.#toggle("skip", !this.isReview, true);
    const skip = this.#act("skip");
    if (skip) {
      skip.textContent = text(state?.skipped ? "unskip" : "skip");
      skip.removeAttribute("aria-pressed");
    }
    const primary = this.#act("primary");
    if (primary && !this.#isSending)
      primary.textContent = text(this.#primaryWord(states));
    this.#showProgress(states.map(isFinished), total > 1);
    // An earlier draft is offered only as long as nothing is entered here.
    const offer = one(this.#form, "[data-offer]", HTMLElement);
    if (offer) {
      // Out of sight it keeps its room: nothing moves under a finger.
      offer.hidden = this.#at > 0;
      offer.toggleAttribute("data-past", this.#draft.isTouched());
    }
    const strip = one(this.#form, ".strip-title", HTMLElement);
    if (strip) strip.textContent = section ? titleOf(section) : text("review-title");
  }

  /** What pressing the primary button leads to. @param {State[]} states */
  #primaryWord(states) {
    if (this.isReview || !this.#hasReview()) return "send";
    return this.#nextOpen(states) === undefined ? "review" : "next";
  }

  /** Presses the primary button: on to what is open, to the review, or off to the asker. @param {"title" | "control"} focus */
  async goOn(focus) {
    clearTimeout(this.#soon);
    if (this.#isSending) return;
    await settleComposition();
    if (this.isReview) return this.submit();
    const states = this.#draft.states();
    const state = states[this.#at];
    if (state && !isFinished(state)) return this.#err(this.#at, text("unfinished"));
    const open = this.#nextOpen(states);
    if (open !== undefined) this.show(open, focus);
    else if (this.#hasReview()) this.show(this.#sections.length, "title");
    else await this.submit();
  }

  /** A single choice was made on purpose: on to what comes next, never off to the asker. @param {boolean} byKey */
  chosen(byKey) {
    if (!this.goesOnByItself || !this.#hasReview()) return;
    const at = this.#at;
    this.#soon = setTimeout(() => {
      if (at !== this.#at) return;
      this.show(this.#nextOpen() ?? this.#sections.length, byKey ? "control" : "title");
      if (!byKey) this.onwent();
    }, SEEN);
  }

  /** Whether a single choice goes on to the next question. */
  get goesOnByItself() {
    return this.#goesOn;
  }

  /** The host is there again: what could not be sent is sent by another press. */
  hostIsBack() {
    const notice = one(this.#form, ".notice.failed[data-away]", HTMLElement);
    if (!notice) return;
    notice.textContent = text("send-again");
    notice.toggleAttribute("data-away", false);
    this.#strip("");
  }

  /** Marks the question skipped and goes on; on a skipped one takes that back. What was entered stays. */
  skip() {
    const { section } = this;
    if (!section) return;
    const isSkipped = !readState(section).skipped;
    setSkipped(section, isSkipped);
    this.#draft.edited(section);
    if (isSkipped) this.show(this.#nextOpen() ?? this.#sections.length, "title");
  }

  /** Sends the answer, unless a question is open or a text would stay behind. */
  async submit() {
    if (this.#isSending) return;
    const states = this.#draft.states();
    const open = states.flatMap((state, place) => (isFinished(state) ? [] : [place]));
    if (open[0] !== undefined) {
      this.show(open[0], "title");
      const places = open.map((place) => place + 1).join(", ");
      return this.#err(open[0], text(states.length > 1 ? "open" : "unfinished", { places }));
    }
    if (states.some(keepsText) && !(await this.#askForKept())) return;
    await this.#send();
  }

  /** Asks whether to put the whole request aside. */
  async dismiss() {
    const name = commentOf(this.#request);
    const field = make("textarea", {
      rows: "3",
      dir: "auto",
      "aria-label": text("dismiss-comment"),
    });
    field.value = recall(name) ?? "";
    field.addEventListener("input", () => remember(name, field.value || null));
    const words = this.#draft.isTouched() ? [make("p", {}, text("leave-draft"))] : [];
    const label = make(
      "label",
      { class: "opt opt-text" },
      make("span", { class: "reply-name" }, text("dismiss-comment")),
      field,
    );
    const asked = ask(
      text("dismiss-title"),
      [...words, label],
      [
        { name: "", label: text("leave-stay"), look: "quiet" },
        { name: "yes", label: text("dismiss-yes"), look: "primary" },
      ],
    );
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
        field.closest("dialog")?.close("yes");
    });
    field.focus();
    if ((await asked) !== "yes") return;
    const comment = field.value.trim() || undefined;
    const isDone = await this.#hand("cancel", { comment, provider: "web" });
    if (!isDone) return;
    remember(name, null);
    this.ondone("dismissed");
  }

  /** Asks whether to skip all that is open. */
  async skipRest() {
    const open = this.#sections.filter((section) => !isFinished(readState(section)));
    const count = open.length;
    const yes = { name: "yes", label: text("skip-rest-yes"), look: "primary" };
    const no = { name: "", label: text("skip-rest-no"), look: "quiet" };
    const title = text(count === 1 ? "skip-rest-title-1" : "skip-rest-title", { count });
    if ((await ask(title, [], [no, yes])) !== "yes") return;
    for (const section of open) {
      setSkipped(section, true);
      this.#draft.edited(section);
    }
    this.show(this.#sections.length, "title");
  }

  async #askForKept() {
    const kept = this.#sections.filter((section) => keepsText(readState(section)));
    const replaces = kept.map((section) => {
      const { chosen, skipped } = readState(section);
      return !controls(section).isMulti && !skipped && chosen.length > 0;
    });
    const isAll = replaces.every(Boolean);
    const sendWith = isAll
      ? "unsent-instead"
      : replaces.some(Boolean)
        ? "unsent-mixed"
        : "unsent-with";
    const list = kept.map((section) =>
      make(
        "li",
        { class: "review-item" },
        make("p", { class: "review-question" }, ...this.#name(section)),
        ...this.#chosenIn(section),
        make("blockquote", { class: "review-text", dir: "auto" }, readState(section).custom),
      ),
    );
    const choice = await ask(
      text(kept.length === 1 ? "unsent-title-1" : "unsent-title"),
      [make("ul", { class: "review-list" }, ...list)],
      [
        { name: "", label: text("unsent-back"), look: "quiet" },
        { name: "without", label: text("unsent-without") },
        { name: "with", label: text(sendWith) },
      ],
    );
    if (choice !== "with") return choice === "without";
    for (const section of kept) {
      sendKept(section);
      this.#draft.edited(section);
    }
    return true;
  }

  async #send() {
    const answers = this.#sections.map((section) =>
      answerOf(readState(section), controls(section).isMulti),
    );
    if (await this.#hand("answer", { answers, provider: "web" })) this.ondone("sent");
  }

  /**
   * Hands something over to the host. Whatever comes of it, what was entered stays.
   * @param {"answer" | "cancel"} how
   * @param {unknown} body
   */
  async #hand(how, body) {
    if (this.#isSending) return false;
    this.#isSending = true;
    let isDone = false;
    const primary = this.#act("primary");
    primary?.toggleAttribute("data-busy", true);
    if (primary && how === "answer") primary.textContent = text("sending");
    try {
      const { status, body: reply } = await call("POST", `/requests/${this.#request}/${how}`, body);
      if (status === 200) return (isDone = true);
      if (status === 404 || reply.code === "NOT_PENDING") this.onended();
      else this.#rejected(status, reply);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#say(text("send-failed")).toggleAttribute("data-away", true);
    } finally {
      this.#isSending = isDone;
      primary?.toggleAttribute("data-busy", isDone);
      if (!isDone) this.changed();
      if (!isDone) this.onfailed();
    }
    return false;
  }

  /** @param {number} status @param {any} reply */
  #rejected(status, reply) {
    /** @type {{question?: string, code: string, message: string}[]} */
    const issues = reply.issues ?? [];
    const places = issues.map(({ question }) =>
      this.#sections.findIndex((it) => readState(it).id === question),
    );
    issues.forEach(({ code, message }, index) => {
      const place = places[index] ?? -1;
      if (place >= 0) this.#err(place, code === "custom-too-long" ? text("too-long") : message);
    });
    const first = places.find((place) => place >= 0);
    if (first !== undefined) this.show(first, "title");
    else
      this.#say(
        status === 401 || status === 403
          ? text("signed-out")
          : `${text("rejected-title")} ${reply.detail ?? ""}`,
      );
  }

  #linked() {
    return this.#sections.findIndex(({ id }) => `#${id}` === location.hash);
  }

  /** The next open question after this one, or the first; none where all are finished. */
  #nextOpen(states = this.#draft.states()) {
    const open = states.flatMap((state, place) =>
      isFinished(state) || place === this.#at ? [] : [place],
    );
    return open.find((place) => place > this.#at) ?? open[0];
  }

  #hasReview() {
    return this.#sections.length > 1 || this.#draft.states().some(({ skipped }) => skipped);
  }

  /** @param {string} name */
  #act(name) {
    return one(this.#form, `[data-act=${name}]`, HTMLElement);
  }

  /** @param {string} name @param {boolean} isShown @param {boolean} isOn */
  #toggle(name, isShown, isOn) {
    const control = this.#act(name);
    if (!control) return;
    control.hidden = !isShown;
    // Disabled it would lose the focus under the person's finger.
    control.setAttribute("aria-disabled", `${!isOn}`);
  }

  /** @param {boolean[]} finished @param {boolean} isShown */
  #showProgress(finished, isShown) {
    const progress = one(this.#form, "[data-progress]", HTMLElement);
    if (!progress) return;
    progress.hidden = !isShown && !this.isReview;
    const dots = finished.map((isDone, place) =>
      make("i", {
        class: [place === this.#at && "now", isDone && "done"].filter(Boolean).join(" "),
      }),
    );
    const position = text("position", { at: this.#at + 1, total: finished.length });
    progress.replaceChildren(
      ...(finished.length <= DOTS
        ? [make("span", { class: "dots", "aria-hidden": "true" }, ...dots)]
        : []),
      make("span", { class: "position" }, this.isReview ? text("review") : position),
    );
  }

  /** @param {number} place @param {string} words none takes them away */
  #err(place, words) {
    const section = this.#sections[place];
    const error = section && one(section, ".question-error", HTMLElement);
    if (!section || !error || error.textContent === words) return;
    error.textContent = words;
    error.hidden = words === "";
    one(section, "fieldset", HTMLElement)?.setAttribute("aria-invalid", `${words !== ""}`);
    this.#strip(words);
    if (words !== "") error.scrollIntoView({ block: "nearest" });
  }

  /** A card that is folded away still shows errors. @param {string} words */
  #strip(words) {
    const strip = one(this.#form, ".strip-error", HTMLElement);
    if (strip) strip.textContent = words;
  }

  /** Says what went wrong with the whole. @param {string} words */
  #say(words) {
    const body = one(this.#form, ".card-body", HTMLElement);
    one(this.#form, ".notice.failed", HTMLElement)?.remove();
    const notice = make("p", { class: "notice failed", role: "alert" }, words);
    body?.prepend(notice);
    notice.scrollIntoView({ block: "nearest" });
    this.#strip(words);
    return notice;
  }

  /** @param {"title" | "control"} where */
  #focus(where) {
    const part = this.section ?? this.#review;
    const title = one(part, ".title", HTMLElement);
    const {
      options = [],
      own = undefined,
      field = null,
    } = this.section ? controls(this.section) : {};
    const shown = options.filter((input) => !isHidden(input));
    const inputs = [...shown, ...(own ? [own] : [])];
    const control = inputs.find((input) => input.checked) ?? inputs[0] ?? field;
    ((where === "control" && control) || title)?.focus({ preventScroll: true });
  }

  /** Below the options: how many are ticked, all and none, and whether a choice goes on. @param {HTMLElement} section */
  #addNotes(section) {
    const { isMulti, options } = controls(section);
    const notes = make("p", { class: "note" });
    if (isMulti) notes.append(make("span", { "data-count": true }));
    if (section.dataset.kind === "single" && this.#sections.length > 1) {
      const input = make("input", { type: "checkbox", role: "switch", "data-act": "auto-next" });
      input.checked = this.goesOnByItself;
      input.addEventListener("change", () => {
        this.#goesOn = input.checked;
        remember("auto-next", input.checked ? "on" : "off");
        for (const other of all(this.#form, "[data-act=auto-next]")) {
          if (other instanceof HTMLInputElement) other.checked = input.checked;
        }
      });
      notes.append(make("label", { class: "switch" }, input, text("auto-next")));
    }
    if (options.length > 0) one(section, ".answer-area", HTMLElement)?.after(notes);
  }

  #fillReview() {
    const items = this.#sections.map((section, place) => {
      const state = readState(section);
      const kind = state.skipped ? "skipped" : isFinished(state) ? "answered" : "open";
      const { selected, custom } = answerOf(state, controls(section).isMulti);
      /** @type {HTMLElement[]} */
      const parts = [make("p", { class: "review-question" }, ...this.#name(section))];
      if (kind !== "answered")
        parts.push(make("p", { class: "review-state" }, text(`review-${kind}`)));
      for (const label of selected)
        parts.push(make("p", { class: "review-answer", dir: "auto" }, this.#shown(section, label)));
      if (custom !== undefined)
        parts.push(make("blockquote", { class: "review-text", dir: "auto" }, custom));
      /** @param {string} entered */
      const kept = (entered) =>
        make(
          "p",
          { class: "review-kept" },
          `${text("not-sent")} `,
          make("bdi", { dir: "auto" }, entered),
        );
      for (const label of state.chosen)
        if (!selected.includes(label)) parts.push(kept(this.#shown(section, label)));
      if (keepsText(state)) parts.push(kept(state.custom));
      const edit = make(
        "button",
        { type: "button", class: "link review-edit", onclick: () => this.show(place, "title") },
        text("edit"),
        make("span", { class: "visually-hidden" }, ": ", ...this.#name(section)),
      );
      return make(
        "li",
        { class: "review-item", "data-goto": `${place}`, "data-state": kind },
        ...parts,
        edit,
      );
    });
    const hasOpen = this.#sections.some((section) => !isFinished(readState(section)));
    const rest = make(
      "button",
      {
        type: "button",
        class: "button",
        "data-act": "skip-rest",
        onclick: () => void this.skipRest(),
      },
      text("skip-rest"),
    );
    this.#review.replaceChildren(
      make("h2", { class: "title", id: "title-review", tabindex: "-1" }, text("review-title")),
      make("ol", { class: "review-list" }, ...items),
      ...(hasOpen ? [rest] : []),
    );
  }

  /** What of a question would be sent beside a text that would not. @param {HTMLElement} section */
  #chosenIn(section) {
    const { selected } = answerOf(readState(section), controls(section).isMulti);
    if (selected.length === 0) return [];
    const labels = selected.map((label) => this.#shown(section, label)).join(" · ");
    return [make("p", { class: "review-answer" }, `${text("chosen")} `, make("bdi", {}, labels))];
  }

  /** A label as the page shows it, without its suffix. @param {HTMLElement} section @param {string} label */
  #shown(section, label) {
    const place = controls(section).options.findIndex(
      (input) => (input.dataset.label ?? "") === label,
    );
    const shown = all(section, ".opt .t")[place];
    return shown?.textContent ?? label;
  }

  /** A question's name on one line: its header, where it has one, and its text. @param {HTMLElement} section */
  #name(section) {
    const header = one(section, ".eyebrow", HTMLElement)?.textContent;
    const named = header ? [make("bdi", { class: "name-header", dir: "auto" }, header), " "] : [];
    return [...named, make("bdi", { dir: "auto" }, titleOf(section))];
  }
}

/** @param {HTMLElement} section */
function titleOf(section) {
  return one(section, ".title", HTMLElement)?.textContent ?? "";
}

/** Where a comment is remembered that was begun and not sent. @param {string} request */
export const commentOf = (request) => `comment.${PERSON}.${request}`;

/** Ends a composition that is under way, so that its text counts. */
async function settleComposition() {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLTextAreaElement) || !activeElement.matches("[data-composing]"))
    return;
  activeElement.blur();
  await new Promise((resume) => setTimeout(resume));
  activeElement.focus();
}
