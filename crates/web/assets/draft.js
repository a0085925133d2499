// The draft at the host: what was entered here is saved to it, what was entered elsewhere is shown.
//
// Invariants: a text that was written is in the field, at the host or in this browser's storage; a
// field that has the focus or unsaved edits is never written from elsewhere.

import {
  all,
  applyState,
  button,
  controls,
  isBlank,
  make,
  one,
  readState,
  recall,
  refresh,
  remember,
  remembered,
  text,
  wrote,
} from "./dom.js";
import { call, pause, Unreachable } from "./live.js";

export { applyState, readState };

/** @typedef {import("./dom.js").State} State */
/** @typedef {State & {revision: number, kept?: {text: string}[]}} Entry */

/**
 * @typedef {object} Question
 * @property {HTMLElement} section
 * @property {number} base the revision that is edited here
 * @property {string} host what the host has, as far as this page knows
 * @property {string} sent what is on its way to the host
 * @property {Entry | null} elsewhere what another screen saved and this one does not show
 * @property {boolean} gives whether that is to be shown once the text here is kept
 */

/** @param {State} state */
const key = ({ chosen, custom, customOn, skipped }) =>
  JSON.stringify([chosen, custom, customOn, skipped]);

/** How soon an edit is sent, and how much of one call may outlive the page (browsers: 64 KiB). */
const DELAY = 300;
const OUTLIVES = 60_000;
const MONTH = 30 * 24 * 3600 * 1000;

/** Names what this page holds back for the host: pages of the same request don't mix. */
const PAGE = Math.random().toString(36).slice(2, 10);

/** The draft of the request on this page. */
export class Draft {
  /** @type {Question[]} */
  #questions;
  #form;
  #request;
  /** The revision of the whole draft that this page knows, and the newest it heard of. */
  #revision;
  #heard = 0;
  #isLooking = false;
  /** Calls to the host, one after the other. @type {Promise<unknown>} */
  #calls = Promise.resolve();
  /** @type {number | undefined} */
  #timer;
  #failures = 0;
  /** Whether a write was cut: it may be at the host or not. */
  #isUncertain = false;
  #isOver = false;
  /** Storage that the host has now once this page's edits are saved. @type {string[]} */
  #adopted = [];

  /** A question stands otherwise than before. @type {(section: HTMLElement) => void} */
  onchange = () => {};
  /** The request has ended. */
  onended = () => {};

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.#form = form;
    this.#request = form.dataset.request ?? "";
    this.#revision = Number(form.dataset.revision ?? 0);
    this.#questions = all(form, "section[data-question]").map((section) => {
      const host = key(readState(section, true));
      const edited = { base: Number(baseOf(section)?.value ?? 0), host, sent: "" };
      return { section, ...edited, elsewhere: null, gives: false };
    });
    for (const { section } of this.#questions) {
      refresh(section);
      // Typed before this script ran.
      if (wrote(section)) this.edited(section);
      for (const list of all(section, "[data-kept-texts]")) {
        this.#showKept(section, all(list, ".kept-text"));
      }
    }
    this.#adopt();
    // Where the question was left, what came from elsewhere meanwhile may be shown.
    form.addEventListener("focusout", () => setTimeout(() => this.#showElsewhere()));
  }

  /** The state of each question, in order. */
  states() {
    return this.#questions.map(({ section }) => readState(section));
  }

  /** Whether anything is entered anywhere. */
  isTouched() {
    return this.states().some(
      ({ chosen, custom, skipped }) => chosen.length > 0 || custom !== "" || skipped,
    );
  }

  /** Something was entered. @param {HTMLElement} section */
  edited(section) {
    refresh(section);
    this.onchange(section);
    if (this.#failures > 0) this.#holdBack();
    this.#timer ??= setTimeout(() => this.save(), DELAY);
  }

  /** The questions that hold something the host has not. */
  #unsaved() {
    return this.#questions.filter(({ section, host }) => key(readState(section)) !== host);
  }

  /** Saves what is unsaved, now. */
  save() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#next(() => this.#write());
  }

  /** Reads what other screens of the person saved, unless this revision is known here. */
  look(revision = Infinity) {
    this.#heard = Math.max(this.#heard, revision);
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#next(async () => {
      const heard = this.#heard;
      [this.#heard, this.#isLooking] = [0, false];
      if (heard > this.#revision) await this.#read();
    });
  }

  /** The host is there (again). */
  retry() {
    if (this.#failures > 0 || this.#isUncertain) void this.save();
  }

  /** The page is left: what is not saved goes on its way, and stays here until it is. */
  leave() {
    const unsaved = this.#isOver ? [] : this.#unsaved();
    this.#holdBack();
    let room = OUTLIVES;
    const questions = unsaved
      .map(({ section, base }) => ({ ...readState(section), base }))
      .filter((write) => {
        room -= new TextEncoder().encode(JSON.stringify(write)).length;
        return room > 0;
      });
    if (questions.length > 0) call("PUT", this.#path(), { questions }, true).catch(() => {});
  }

  /** The request has ended, or its answer is on the way: nothing is saved any more. */
  close() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#forget();
  }

  #path() {
    return `/requests/${this.#request}/draft`;
  }

  /** @param {() => Promise<void>} step */
  #next(step) {
    this.#calls = this.#calls
      .catch(() => {})
      .then(async () => {
        if (this.#isOver) return;
        try {
          await step();
          this.#failures = 0;
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error;
          this.#failed(text(error.message || "waits"));
          this.#isUncertain = true;
          clearTimeout(this.#timer);
          this.#timer = setTimeout(() => this.save(), pause(this.#failures++, 10_000));
        }
      });
    return this.#calls;
  }

  async #write() {
    if (this.#isUncertain) {
      await this.#read();
      this.#isUncertain = false;
    }
    // Again on the new base for what was edited on an old one: this screen shows it.
    for (let round = 0; round < 3; round += 1) {
      const writes = this.#unsaved().map((question) => ({
        question,
        state: readState(question.section),
      }));
      if (writes.length === 0 || this.#isOver) break;
      for (const { question, state } of writes) question.sent = key(state);
      const questions = writes.map(({ question, state }) => ({ ...state, base: question.base }));
      const { status, body } = await call("PUT", this.#path(), { questions });
      const saved = status === 200 ? body : body.draft;
      if (!saved) return this.#refused(status);
      this.#revision = saved.revision;
      writes.forEach(({ question, state }, place) =>
        this.#written(question, state, saved.questions[place]),
      );
      if (status === 409 && body.code === "NOT_PENDING") return this.#ended();
    }
    if (this.#unsaved().length === 0) {
      this.#tell(text("saved"), "saved");
      this.#forget();
    }
  }

  /** @param {Question} question @param {State} state @param {Entry & {result: string}} entry */
  #written(question, state, entry) {
    const isSaved = entry.result === "saved";
    if (!isSaved && question.gives) applyState(question.section, entry);
    const host = isSaved ? key(state) : key(entry);
    Object.assign(question, {
      base: entry.revision,
      host,
      sent: "",
      elsewhere: null,
      gives: false,
    });
    this.#noteElsewhere(question);
    this.#showKept(question.section, entry.kept ?? []);
  }

  /** @param {number} status */
  #refused(status) {
    if (status === 404) return this.#ended();
    if (status === 401 || status === 403) throw new Unreachable("signed-out");
    this.#failed(text("too-long"));
  }

  #ended() {
    if (!this.#isOver) this.onended();
  }

  async #read() {
    const { status, body } = await call("GET", this.#path());
    if (status !== 200) return;
    this.#revision = body.revision;
    /** @type {Entry[]} */
    const entries = body.questions;
    entries.forEach((entry, place) => {
      const question = this.#questions[place];
      if (!question) return;
      this.#showKept(question.section, entry.kept ?? []);
      if (entry.revision === question.base) return;
      if ([key(readState(question.section)), question.sent].includes(key(entry))) {
        // The same is shown here, or a write of ours arrived and its reply did not.
        rebase(question, entry.revision);
        question.host = key(entry);
      } else {
        question.elsewhere = entry;
      }
    });
    this.#showElsewhere();
  }

  /** Shows what came from elsewhere, where nobody is writing. */
  #showElsewhere() {
    for (const question of this.#questions) {
      const { section, elsewhere, host } = question;
      if (!elsewhere) continue;
      const shown = readState(section);
      const isWriting =
        document.activeElement === controls(section).field && shown.custom !== elsewhere.custom;
      if (key(shown) === host && !isWriting) this.#take(question, elsewhere);
      else this.#noteElsewhere(question);
    }
  }

  /** @param {Question} question @param {Entry} entry */
  #take(question, entry) {
    applyState(question.section, entry);
    rebase(question, entry.revision);
    question.host = key(readState(question.section));
    question.elsewhere = null;
    this.#noteElsewhere(question);
    this.onchange(question.section);
    this.#tell(text("elsewhere"), "saved");
  }

  /** Says that another screen wrote here as well, and lets the person take that. @param {Question} question */
  #noteElsewhere(question) {
    const { section, elsewhere } = question;
    const note = one(section, ".elsewhere", HTMLElement);
    if (!elsewhere) return note?.remove();
    if (note) return;
    const take = button(
      text("take-other"),
      "take-theirs",
      () => {
        const { elsewhere: entry, host } = question;
        if (!entry) return;
        if (key(readState(section)) === host) return this.#take(question, entry);
        // Sent on its old base once more, the text here is kept at the host; then theirs is shown.
        question.gives = true;
        void this.save();
      },
      "quiet",
    );
    section.append(make("p", { class: "elsewhere", role: "status" }, text("other"), " ", take));
  }

  /**
   * Texts that lost against another screen, each to be copied or put into the field.
   * @param {HTMLElement} section
   * @param {(HTMLElement | {text: string})[]} kept
   */
  #showKept(section, kept) {
    const texts = kept.map((it) => (it instanceof HTMLElement ? (it.textContent ?? "") : it.text));
    const before = one(section, "[data-kept-texts]", HTMLElement);
    // What another screen shows now is offered as such.
    const elsewhere = this.#questions?.find((it) => it.section === section)?.elsewhere;
    if (texts.length === 1 && texts[0] === elsewhere?.custom) return;
    if (texts.length === 0 || texts.join("\0") === before?.dataset.texts) return;
    const { field } = controls(section);
    const items = texts.map((written) => {
      const insert = button(
        text("insert"),
        "insert-kept",
        () => {
          if (!field) return;
          field.value = isBlank(field.value) ? written : `${field.value}\n${written}`;
          field.dispatchEvent(new Event("input", { bubbles: true }));
          field.focus();
        },
        "quiet",
      );
      return make(
        "li",
        {},
        make("p", { class: "kept-text", dir: "auto" }, written),
        ...(field ? [insert] : []),
      );
    });
    const list = make(
      "details",
      { class: "kept-texts", "data-kept-texts": true },
      make(
        "summary",
        {},
        text(texts.length === 1 ? "kept-elsewhere-1" : "kept-elsewhere", { count: texts.length }),
      ),
      make("ul", {}, ...items),
    );
    list.dataset.texts = texts.join("\0");
    if (before instanceof HTMLDetailsElement) list.open = before.open;
    if (before) before.replaceWith(list);
    else section.append(list);
  }

  /** @param {string} words @param {string} state */
  #tell(words, state) {
    const status = one(this.#form, "[data-status]", HTMLElement);
    if (!status || status.textContent === words) return;
    status.textContent = words;
    status.dataset.state = state;
  }

  /** @param {string} words */
  #failed(words) {
    this.#holdBack();
    this.#tell(words, "failing");
  }

  /** Keeps what the host has not in this browser. */
  #holdBack() {
    const unsaved = this.#isOver ? [] : this.#unsaved();
    if (unsaved.length === 0) return;
    const questions = unsaved.map(({ section, base }) => ({ ...readState(section), base }));
    remember(`draft.${this.#request}.${PAGE}`, JSON.stringify({ at: Date.now(), questions }));
  }

  #forget() {
    for (const name of [`draft.${this.#request}.${PAGE}`, ...this.#adopted.splice(0)])
      remember(name, null);
  }

  /** Takes up what this browser held back for this request. What is no newer than the host's is sent
   * as it was, so that the host keeps its text beside the draft. */
  #adopt() {
    const older = [];
    for (const { name, questions } of heldBack(this.#request)) {
      this.#adopted.push(name);
      for (const { base, ...state } of questions) {
        const question = this.#questions.find(({ section }) => readState(section).id === state.id);
        const shown = question && key(readState(question.section));
        if (!question || key(state) === shown) continue;
        if (base === question.base && shown === question.host) applyState(question.section, state);
        else older.push({ ...state, base });
      }
    }
    if (this.#adopted.length === 0) return;
    void this.save();
    for (const write of older) {
      void this.#next(async () => {
        await call("PUT", this.#path(), { questions: [write] });
        await this.#read();
      });
    }
  }
}

/** @param {HTMLElement} section */
const baseOf = (section) => one(section, "input[name$='.base']", HTMLInputElement);

/** The revision on which a question is edited, also for the form where it is posted. @param {Question} question @param {number} revision */
function rebase(question, revision) {
  question.base = revision;
  const input = baseOf(question.section);
  if (input) input.value = `${revision}`;
}

/**
 * What this browser holds back for a request, or for all.
 * @param {string} [request]
 * @returns {{name: string, request: string, at: number, questions: (State & {base: number})[]}[]}
 */
export function heldBack(request = "") {
  return remembered(`draft.${request}`).flatMap((name) => {
    try {
      const { at, questions } = JSON.parse(recall(name) ?? "");
      return [{ name, request: name.split(".")[1] ?? "", at, questions: [...questions] }];
    } catch {
      return [];
    }
  });
}

/**
 * Sends what was held back for other requests than the one on this page, and for this one where it
 * has ended. Returns the texts for this one.
 * @param {string} request
 * @param {boolean} hasEnded
 */
export async function sendHeldBack(request, hasEnded) {
  const texts = [];
  for (const { name, request: other, at, questions } of heldBack()) {
    if (other === request && !hasEnded) continue;
    if (other === request) texts.push(...questions.map(({ custom }) => custom));
    const sent = await call("PUT", `/requests/${other}/draft`, { questions }).catch(() => null);
    const isThere =
      sent !== null && (sent.status === 200 || sent.status === 404 || sent.body.draft);
    if (isThere || Date.now() - at > MONTH) remember(name, null);
  }
  return texts.filter((written) => !isBlank(written));
}
